pub fn depth() -> String {
    let [shallow, deep, deeper] = [cfg!(feature = "shallow"), cfg!(feature = "deep"), cfg!(feature = "deeper")];
    format!("{shallow} {deep} {deeper} {}", tables::pieces())
}
