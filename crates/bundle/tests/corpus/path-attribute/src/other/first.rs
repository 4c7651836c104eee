pub const NAME: &str = "first";
