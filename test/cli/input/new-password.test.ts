import { expect, test } from 'vitest'
import { readNewPassword } from '../../../src/cli/input/new-password.js'
import type { Prompts } from '../../../src/cli/input/prompts.js'

test('a new password that is too short, or typed in two ways, is asked for again at once', async () => {
  const typed = ['short', 'a long enough one', 'a long enough two', 'a long enough one', 'a long enough one']
  const asked: string[] = []
  const notes: string[] = []
  const prompts = {
    password: async (text: string) => {
      asked.push(text)
      return typed.shift() ?? ''
    },
  } as unknown as Prompts
  const environment = { stdin: process.stdin, variables: {} }
  const given = await readNewPassword({ prompts, environment, note: (text) => void notes.push(text) }, false)
  expect(given).toBe('a long enough one')
  expect(asked.map((text) => text.startsWith('New'))).toEqual([true, true, false, true, false])
  expect(notes).toHaveLength(2)
})
