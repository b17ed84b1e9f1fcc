/** What a command is about, for the hint when it fails. */
export interface Subject {
  /** The command itself, as it is typed. */
  command?: string
  /** All commands, where one was typed that there is not. */
  commands?: readonly string[]
  equipment?: string
  /** A message by its name, such as S1F3. */
  message?: string
  /** What the command calls the members of its request, by their pointers, such as `--period` for `/period_seconds`. */
  words?: Readonly<Record<string, string>>
}

/** Of the command that runs. */
export const subject: Subject = {}
