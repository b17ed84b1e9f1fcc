import { expect, test } from 'vitest'
import AlarmsEnable from '../../../commands/alarms/enable.js'
import CommandCommand from '../../../commands/command.js'
import ConstantsSet from '../../../commands/constants/set.js'
import EquipmentAdd from '../../../commands/equipment/add.js'
import EquipmentUpdate from '../../../commands/equipment/update.js'
import RecipesStore from '../../../commands/recipes/store.js'
import TerminalSend from '../../../commands/terminal/send.js'
import TracesRun from '../../../commands/traces/run.js'
import UsersAdd from '../../../commands/users/add.js'
import { reportOf } from '../../../src/cli/errors/report.js'
import { flagWords, inWords, type MemberWords } from '../../../src/cli/output/member-words.js'
import type { Fault } from '../../../src/contract/errors.js'
import { Problem } from '../../../src/contract/errors.js'

interface CommandClass {
  readonly flags: object
  new (argv: string[], config: never): object
}

/** As the command says them when it runs. */
function wordsOf(command: CommandClass): MemberWords {
  const { words } = new command([], {} as never) as { readonly words: MemberWords }
  return { ...words, ...flagWords(command.flags) }
}

test.each<[CommandClass, string, string]>([
  [TracesRun, 'period_seconds is 0.001, finer than hundredths.', '--period is 0.001, finer than hundredths.'],
  [
    TracesRun,
    '/samples must be an integer; /group_size must be 1 or more.',
    '--samples must be an integer; --group must be 1 or more.',
  ],
  [TracesRun, '/variables/1 must be a string.', 'VARIABLE 2 must be a string.'],
  [TracesRun, 'timeout must be 120 or less.', '--timeout must be 120 or less.'],
  [
    ConstantsSet,
    'The constants cannot be sent: /values/RF~1Limit is no number.',
    'The constants cannot be sent: RF~1Limit is no number.',
  ],
  [
    CommandCommand,
    'The command cannot be sent: parameters/LOTID takes text',
    'The command cannot be sent: LOTID takes text',
  ],
  [
    CommandCommand,
    'object has no place in a command of style remote.',
    '--object has no place in a command of style remote.',
  ],
  [
    RecipesStore,
    'item_format is U2, which 3 bytes are no whole number of.',
    '--format is U2, which 3 bytes are no whole number of.',
  ],
  [RecipesStore, '/formatted/commands/0/ccode is required.', 'FILE: commands/0/ccode is required.'],
  [TerminalSend, '/lines/0 must be shorter.', 'TEXT 1 must be shorter.'],
  [AlarmsEnable, '/alid must be shorter.', 'ALARM must be shorter.'],
  [
    EquipmentAdd,
    '/name must be shorter; /timers/t3 must be 600 or less.',
    'NAME must be shorter; --timer t3 must be 600 or less.',
  ],
  [
    EquipmentUpdate,
    '/name must be shorter; /item_formats/SVID is no format.',
    '--name must be shorter; --format SVID is no format.',
  ],
  [
    EquipmentAdd,
    '/timers/t3 must be a number from 0.1 to 600.',
    '--timer t3 must be a duration from 100ms to 600s.',
  ],
  [
    CommandCommand,
    'timeout must be a number from 0.1 to 600.',
    '--timeout must be a duration from 100ms to 600s.',
  ],
  [UsersAdd, '/password must have 12 characters.', 'the password must have 12 characters.'],
])('%o: %s', (command, told, expected) => {
  expect(inWords(told, wordsOf(command))).toBe(expected)
})

test('a word that only begins like a member, or stands within a sentence, stays', () => {
  const words = { '/name': 'NAME', '/text': 'TEXT' }
  expect(inWords('names are unique, and a name is text', words)).toBe('names are unique, and a name is text')
  expect(inWords('name-plates: texts', words)).toBe('name-plates: texts')
})

test('only what is wrong with a request is told so, and programs are told of the members', () => {
  const errors: Fault[] = [{ pointer: '/period_seconds', detail: 'must be 0.01 or more' }]
  const words = { '/period_seconds': '--period' }
  const report = reportOf(new Problem('invalid_request', 'What was given cannot be.', { errors }), { words })
  expect(report.lines).toContain('  --period: must be 0.01 or more')
  expect(JSON.stringify(report.problem)).toContain('/period_seconds')
  const missing = reportOf(new Problem('equipment_not_found', 'name is nobody'), {
    words: { '/name': '--name' },
  })
  expect(missing.lines[0]).toBe('Error: name is nobody')
})

test('the command to try is told once, also where the sentence ends with it', () => {
  const detail = 'dr.etch is NOT_CONNECTED. Connect it first: secsctl equipment connect dr.etch'
  const report = reportOf(new Problem('equipment_not_connected', detail), { equipment: 'dr.etch' })
  expect(report.lines.slice(0, 2)).toEqual([
    'Error: dr.etch is NOT_CONNECTED.',
    'Try: secsctl equipment connect dr.etch',
  ])
  expect(JSON.stringify(report.problem)).toContain(detail)
})
