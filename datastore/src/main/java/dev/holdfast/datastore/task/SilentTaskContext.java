package dev.holdfast.datastore.task;

/** Drops everything. */
enum SilentTaskContext implements TaskContext {
    INSTANCE;

    @Override
    public void log(String line) {}

    @Override
    public void warn(String line) {}

    @Override
    public void progress(String phase, long done, long total, String unit) {}

    @Override
    public void checkAbort() {}
}
