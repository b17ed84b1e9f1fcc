import type { Config, Interfaces } from '@oclif/core'
import type { BaseCommand } from './base-command.js'
import type { Token } from './equipment/equipment-targets.js'
import { bothWays } from './input/equipment-words.js'
import type { MemberWords } from './output/member-words.js'

type ArgInput = Interfaces.ArgInput
type FlagInput = Interfaces.FlagInput

/** The arguments and flags of a command, as they were typed. */
export interface Given<A, F> {
  readonly args: Interfaces.InferredArgs<A>
  readonly flags: Interfaces.InferredFlags<F>
  /** All words that are no flags. */
  readonly words: readonly string[]
  /** All of it, in its order. */
  readonly raw: readonly Token[]
}

/** What the help of a command says. */
export interface VerbText {
  readonly summary: string
  readonly description?: string
  /** Where it is not what follows from the arguments. */
  readonly usage?: string
  readonly examples: string[]
}

interface Verb<C, A, F> extends VerbText {
  readonly args?: A
  readonly flags?: F
  readonly baseFlags?: FlagInput
  /** False where more words may follow the arguments. */
  readonly strict?: false
  /** Words for members of the request that are no flag of the same name. */
  readonly words?: MemberWords
  readonly run: (on: C, given: Given<A, F>) => void | Promise<void>
}

/** A base class of commands. */
type Base<C> = (abstract new (
  words: string[],
  config: Config,
) => C) & {
  readonly baseFlags: FlagInput
}

/** Any command that a base class makes. */
export interface Made {
  readonly args: ArgInput
  readonly flags: FlagInput
  new (words: string[], config: Config): BaseCommand
}

/** A command as a value: `run` does on the base class what its text says. */
export function verb<
  C extends BaseCommand,
  A extends ArgInput = Record<never, never>,
  F extends FlagInput = Record<never, never>,
>(base: Base<C>, { run, words, args, flags, ...text }: Verb<C, A, F>): Made {
  class Command extends (base as unknown as Made) {
    override readonly words = words ?? {}

    async run(): Promise<void> {
      const { argv, ...typed } = await this.parse(this.ctor)
      await run(this as unknown as C, { ...typed, words: argv.map(String) } as unknown as Given<A, F>)
    }
  }
  // oclif reads only what a class has itself.
  const parts = bothWays({ args: args ?? {}, flags: flags ?? {}, ...text })
  return Object.assign(Command, { baseFlags: base.baseFlags, ...parts })
}
