/**
 * What becomes of a command whose standard output or error cannot be written: it ends, unless `mayFail` is set, as a
 * daemon does, which goes on without them.
 */
export const standardStreams = { mayFail: false }
