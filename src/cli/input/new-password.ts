import type { Environment } from '../environment.js'
import type { Prompts } from './prompts.js'
import { readSecret } from './standard-input.js'

/** The gateway refuses a shorter one. */
const MIN_LENGTH = 12

/** A new password: piped in, from `SECSCTL_NEW_PASSWORD`, or asked for twice. */
export async function readNewPassword(
  {
    prompts,
    environment,
    note,
  }: {
    readonly prompts: Prompts
    readonly environment: Pick<Environment, 'stdin' | 'variables'>
    readonly note: (text: string) => void
  },
  piped: boolean,
): Promise<string> {
  if (piped) return readSecret(environment.stdin, 'the password')
  const given = environment.variables['SECSCTL_NEW_PASSWORD']
  if (given) return given
  const otherwise = 'give the new password with --password-stdin or SECSCTL_NEW_PASSWORD'
  for (;;) {
    const first = await prompts.password('New password (12 characters or more)', otherwise)
    if (first.length < MIN_LENGTH) {
      note(`That has ${first.length} characters: ${MIN_LENGTH} are needed.`)
      continue
    }
    if (first === (await prompts.password('Once more', otherwise))) return first
    note('These were two different passwords.')
  }
}
