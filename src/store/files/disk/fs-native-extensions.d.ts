declare module 'fs-native-extensions' {
  /** Takes a write lock on the whole file, which the kernel frees with the last copy of `fd`. False when it is taken. */
  export function tryLock(fd: number): boolean
}
