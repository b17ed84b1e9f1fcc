import { Failure } from './failure.js'

/** Asks the person at the terminal, and fails with the flag to use where there is none. */
export class Prompts {
  /** True when a question may be asked. */
  readonly allowed: boolean

  constructor(noInput: boolean) {
    const ci = process.env['CI']
    const quiet = noInput || (ci !== undefined && ci !== '' && ci !== 'false')
    this.allowed = !quiet && process.stdin.isTTY === true && process.stderr.isTTY === true
  }

  async text(message: string, otherwise: string, fallback?: string): Promise<string> {
    this.#require(otherwise)
    const { input } = await import('@inquirer/prompts')
    const given = { message, required: true, ...(fallback !== undefined && { default: fallback }) }
    return input(given, { output: process.stderr })
  }

  async password(message: string, otherwise: string): Promise<string> {
    this.#require(otherwise)
    const { password } = await import('@inquirer/prompts')
    return password({ message, mask: true }, { output: process.stderr })
  }

  /** True when the person says yes. */
  async confirm(message: string, otherwise: string): Promise<boolean> {
    this.#require(otherwise)
    const { confirm } = await import('@inquirer/prompts')
    return confirm({ message, default: false }, { output: process.stderr })
  }

  #require(otherwise: string): void {
    if (!this.allowed) throw new Failure('usage', otherwise)
  }
}
