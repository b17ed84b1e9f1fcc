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
import {
  argumentWords,
  flagWords,
  type MemberWords,
  memberWord,
} from '../../../src/cli/output/member-words.js'
import type { Made } from '../../../src/cli/verb.js'
import { type Fault, Problem } from '../../../src/contract/errors.js'

/** As the command says them when it runs. */
function wordsOf(command: Made): MemberWords {
  const { words } = new command([], {} as never) as { readonly words: MemberWords }
  return { ...argumentWords(command.args ?? {}), ...words, ...flagWords(command.flags) }
}

test.each<[Made, string, string]>([
  [TracesRun, '/period_seconds', '--period (in seconds)'],
  [TracesRun, '/samples', '--samples'],
  [TracesRun, '/group_size', '--group'],
  [TracesRun, '/variables/1', 'VARIABLE 2'],
  [TracesRun, 'timeout', '--timeout (in seconds)'],
  [ConstantsSet, '/values/RF~1Limit', 'RF/Limit'],
  [CommandCommand, '/parameters/LOTID', 'LOTID'],
  [CommandCommand, '/object', '--object'],
  [RecipesStore, '/item_format', '--format'],
  [RecipesStore, '/formatted/commands/0/ccode', 'FILE: commands/0/ccode'],
  [TerminalSend, '/lines/0', 'TEXT 1'],
  [AlarmsEnable, '/alid', 'ALARM'],
  [EquipmentAdd, '/name', 'NAME'],
  [EquipmentAdd, '/timers/t3', '--timer t3 (in seconds)'],
  [EquipmentUpdate, '/name', '--name'],
  [EquipmentUpdate, '/item_formats/SVID', '--format SVID'],
  [UsersAdd, '/password', 'the password'],
  [UsersAdd, '', 'the body'],
  [UsersAdd, '/unknown', '/unknown'],
])('%o calls %s %s', (command, pointer, expected) => {
  expect(memberWord(pointer, wordsOf(command))).toBe(expected)
})

test('programs read the members as the API names them', () => {
  const errors: Fault[] = [{ pointer: '/period_seconds', detail: 'must be 0.01 or more' }]
  const wordOf = (pointer: string) => memberWord(pointer, { '/period_seconds': '--period' })
  const report = reportOf(new Problem('invalid_request', 'What was given cannot be.', { errors }), { wordOf })
  expect(report.lines).toEqual(['Error: --period must be 0.01 or more'])
  expect(JSON.stringify(report.problem)).toContain('/period_seconds')
})
