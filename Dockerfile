# `docker build -t crownhead .`, then `docker run --rm crownhead match alphabeta greedy --games 10`. For bots of your own,
# in this image or in one made from it with what they need (`FROM crownhead`, `RUN apt-get install … python3`):
# `docker run --rm -v "$PWD:/work" crownhead match ./my_bot greedy`.
FROM rust:1.95-bookworm AS build
WORKDIR /crownhead
COPY . .
RUN cargo build --profile dist --locked --all-features -p crownhead-referee --bin crownhead

FROM debian:bookworm-slim
COPY --from=build /crownhead/target/dist/crownhead /usr/local/bin/
WORKDIR /work
ENTRYPOINT ["crownhead"]
