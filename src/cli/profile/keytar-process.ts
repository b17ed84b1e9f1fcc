export type KeytarRequest =
  | { readonly ask: 'read' | 'remove'; readonly service: string; readonly account: string }
  | { readonly ask: 'write'; readonly service: string; readonly account: string; readonly secret: string }

export interface KeytarAnswer {
  readonly secret?: string
  readonly error?: string
}

/** The part of keytar that is used. It is an optional dependency, so its own declarations may be missing. */
interface KeytarModule {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, secret: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

async function load(): Promise<KeytarModule> {
  const module: string = 'keytar'
  try {
    const { default: keytar } = (await import(module)) as { default: KeytarModule }
    return keytar
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('the package keytar is not installed (on Linux its build needs libsecret-1-dev)')
  }
}

async function carryOut(request: KeytarRequest): Promise<KeytarAnswer> {
  const keytar = await load()
  const { service, account } = request
  if (request.ask === 'read') {
    const secret = await keytar.getPassword(service, account)
    return secret === null ? {} : { secret }
  }
  if (request.ask === 'write') await keytar.setPassword(service, account, request.secret)
  else await keytar.deletePassword(service, account)
  return {}
}

process.once('message', (request: KeytarRequest) => {
  const answer = (message: KeytarAnswer): void => {
    process.send?.(message, () => process.disconnect())
  }
  carryOut(request).then(answer, (error: Error) => answer({ error: error.message }))
})
