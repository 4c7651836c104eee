pub trait Judge {
    fn verdict(&self) -> &'static str;
}
pub struct Panel;
impl Judge for Panel {
    fn verdict(&self) -> &'static str {
        "guilty"
    }
}
pub struct Unneeded;
impl Judge for Unneeded {
    fn verdict(&self) -> &'static str {
        "unneeded"
    }
}
