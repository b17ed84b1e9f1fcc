/** Category of an error code; it determines the exit code of the command line. */
export type ErrorKind =
  | 'unexpected'
  | 'usage'
  | 'missing'
  | 'access'
  | 'state'
  | 'unreachable'
  | 'timeout'
  | 'equipment'
  | 'damaged'
