# The formula for Homebrew. `.ci/dist` fills in the address, the version and the checksums.
class Crownhead < Formula
  desc "Test your game bot at home, and find out why it lost"
  homepage "@url@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@url@/releases/download/v@version@/crownhead-@version@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "@url@/releases/download/v@version@/crownhead-@version@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@url@/releases/download/v@version@/crownhead-@version@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@url@/releases/download/v@version@/crownhead-@version@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "crownhead"
    man1.install Dir["man1/*"]
    bash_completion.install "completions/crownhead.bash" => "crownhead"
    zsh_completion.install "completions/crownhead.zsh" => "_crownhead"
    fish_completion.install "completions/crownhead.fish"
  end

  test do
    assert_match "ended by", shell_output("#{bin}/crownhead match greedy random --games 2 --sandbox off")
  end
end
