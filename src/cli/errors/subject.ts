import type { Place } from '../../kit/text/json-text.js'

/** The gateway of a command, for the commands to try. */
export interface CalledServer {
  /** What chooses it, such as ` --profile fab2`; empty for the one that is meant when none is named. */
  readonly flags: string
  /** The daemon on this machine. */
  readonly local: boolean
}

/** What a command is about, for the hint when it fails. */
export interface Subject {
  /** The command itself, as it is typed. */
  command?: string
  /** A call of the command that is right. */
  example?: string
  /** All commands, and the words that were typed, where they are no command. */
  commands?: readonly string[]
  typed?: readonly string[]
  /** The flags of the command, by their long names. */
  flags?: readonly string[]
  server?: CalledServer
  /** The environment variable that the token is from. */
  tokenFrom?: string
  equipment?: string
  /** Where the equipment is dialled, while that is under way. */
  dialled?: string
  /** A message by its name, such as S1F3. */
  message?: string
  /** What the faults of the request are printed after, such as the name of the message or of a file. */
  heading?: string
  /** What the command calls a member of its request, by its pointer. */
  wordOf?: (pointer: string) => string
  /** Where a member is in the file that the command sends: faults are printed in the order of the file. */
  placeOf?: (pointer: string) => Place
}

/** What ended a command, with what the command was about. */
export class FailedCommand extends Error {
  constructor(
    override readonly cause: unknown,
    readonly subject: Subject,
  ) {
    super('', { cause })
  }
}
