import { describe, expect, test } from 'vitest'
import { completionReply } from '../../../src/cli/completion/completion-reply.js'
import { readCommandTree } from '../../../src/cli/completion/manifest.js'
import { namesHere } from '../../../src/cli/completion/names.js'
import { testEnvironment } from '../../support/command.js'
import { ManualClock } from '../../support/manual-clock.js'

const tree = await readCommandTree('.')
const names = {
  ...namesHere({ ...testEnvironment(), clock: new ManualClock() }),
  equipment: async () => [
    { value: 'my asher', description: 'a\tb\nc' },
    { value: 'fab:1' },
    { value: 'fab:2' },
  ],
}
const ask = (...args: string[]): Promise<string> => completionReply(args, tree, names)
const BREAKS = ' \t\n"\'><=;|&(:'

describe('bash', () => {
  const bash = (line: string, breaks = BREAKS): Promise<string> => ask('bash', line, breaks)

  test('is given what begins as typed, escaped outside quotes', async () => {
    expect(await bash('secsctl equipment show my')).toBe('values\nmy\\ asher\n')
    expect(await bash('secsctl equipment show my\\ ')).toBe('values\nmy\\ asher\n')
    expect(await bash("secsctl equipment show 'my")).toBe('values\nmy asher\n')
  })

  test('is given the part after what it breaks words at', async () => {
    expect(await bash('secsctl equipment show fab:')).toBe('values\n1\n2\n')
    expect(await bash('secsctl equipment show fab:', ' \t\n')).toBe('values\nfab:1\nfab:2\n')
    expect(await bash('secsctl equipment list --output=js')).toBe('values\njson\n')
    expect(await bash('secsctl equipment list --output=js', ' \t\n')).toBe('values\n--output=json\n')
  })

  test('says which candidates are files, and which words continue', async () => {
    expect(await bash('secsctl sml decode ')).toBe('files\n')
    expect(await bash('secsctl send x S2F41 RC')).toBe('open\nRCMD=\n')
  })
})

test('zsh and fish are given all, with a description on the same line', async () => {
  const lines = 'values\nmy asher\ta b c\nfab:1\t\nfab:2\t\n'
  expect(await ask('zsh', '2', 'equipment', 'show', 'x')).toBe(lines)
  expect(await ask('fish', '2', 'equipment', 'show')).toBe(lines)
})

test('PowerShell is given what begins as typed, also where it drops an empty word', async () => {
  expect(await ask('powershell', '2', 'equipment', 'show', 'fab:1')).toBe('values\nfab:1\t\n')
  expect(await ask('powershell', '2', 'equipment', 'show')).toContain('my asher')
})

test('a question of no shell has no answer', async () => {
  expect(await ask()).toBe('')
  expect(await ask('tcsh', '0')).toBe('')
})
