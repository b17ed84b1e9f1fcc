import { readFileSync } from 'node:fs'
import { visible } from '../../kit/text/visible-text.js'
import type { Environment } from '../environment.js'
import { wrongUsage } from '../errors/failure.js'

/** Asks the person at the terminal, and fails with the flag to use where there is none. */
export class Prompts {
  /** True when a question may be asked. */
  readonly allowed: boolean

  constructor(
    readonly environment: Pick<Environment, 'variables' | 'stdin' | 'stderr'>,
    noInput: boolean,
  ) {
    const { variables, stdin, stderr } = environment
    const isSet = (name: string): boolean => !['', '0', 'false'].includes(variables[name] ?? '')
    const quiet = noInput || isSet('CI') || isSet('SECSCTL_NO_INPUT')
    const isTerminal = stdin.isTTY && stderr.isTTY
    this.allowed = !quiet && isTerminal && isInForeground()
  }

  async text(message: string, otherwise: string, fallback?: string): Promise<string> {
    const question = { type: 'input', message, required: true, default: fallback } as const
    return String(await this.#ask(question, otherwise))
  }

  async password(message: string, otherwise: string): Promise<string> {
    return String(await this.#ask({ type: 'password', message, mask: true }, otherwise))
  }

  /** True when the person says yes. */
  async confirm(message: string, otherwise: string): Promise<boolean> {
    return (await this.#ask({ type: 'confirm', message, default: false }, otherwise)) === true
  }

  async #ask(question: Question, otherwise: string): Promise<unknown> {
    if (!this.allowed) throw wrongUsage(otherwise)
    const { stdin, stderr } = this.environment
    const { default: inquirer } = await import('inquirer')
    const over = new AbortController()
    // Ctrl-D ends the reading of the line and nothing else: an answer that was entered is delivered by the next turn.
    const end = (): void => void setImmediate(() => over.abort())
    stdin.once('pause', end)
    try {
      // Standard output is for results.
      const prompt = inquirer.createPromptModule({ input: stdin, output: stderr, signal: over.signal })
      const { answer } = await prompt<{ answer: unknown }>({
        ...question,
        message: visible(question.message),
        name: 'answer',
      })
      return answer
    } finally {
      stdin.off('pause', end)
    }
  }
}

/**
 * Whether this process may read from its terminal: one that a shell has put in the background is stopped when it
 * tries. Only Linux shows it here (proc(5): `pgrp` and `tpgid` of `/proc/self/stat`); elsewhere it is assumed.
 */
function isInForeground(): boolean {
  let stat: string
  try {
    stat = readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return true
  }
  // The name of the program stands in parentheses before them, and may hold anything.
  const [, , pgrp, , , tpgid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return pgrp === tpgid
}

interface Question {
  readonly type: 'input' | 'password' | 'confirm'
  readonly message: string
  readonly required?: boolean
  readonly mask?: boolean
  readonly default?: string | boolean | undefined
}
