/** A function of keytar, and its arguments. */
export type KeytarCall = readonly ['getPassword' | 'setPassword' | 'deletePassword', ...string[]]

export interface KeytarReply {
  /** The password, where the function gives one. */
  readonly value?: unknown
  readonly error?: string
}

async function replyTo([name, ...args]: KeytarCall): Promise<KeytarReply> {
  try {
    // An optional dependency, so its own declarations may be missing.
    const module: string = 'keytar'
    return { value: await (await import(module)).default[name](...args) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND'
    return {
      error: isMissing
        ? 'the package keytar is not installed (on Linux its build needs libsecret-1-dev)'
        : message,
    }
  }
}

process.once('message', async (call: KeytarCall) => {
  process.send?.(await replyTo(call), () => process.disconnect())
})
