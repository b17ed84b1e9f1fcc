import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { messageGiven } from '../../src/cli/messages/message-argument.js'
import {
  COMMUNICATION_STATES,
  CONNECTION_FAULTS,
  CONNECTION_STATES,
  CONTROL_STATES,
  DEFAULT_TIMERS,
} from '../../src/contract/equipment.js'
import { ERRORS } from '../../src/contract/errors.js'
import { ROLES } from '../../src/contract/roles.js'
import { MODES } from '../../src/contract/topics/equipment/equipment-settings.js'
import { OUTCOMES } from '../../src/contract/topics/messages.js'
import { CODE_ADVICE } from '../../src/explanation/code-advice.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'
import type { Explanation } from '../../src/explanation/explanation.js'
import { ENTRIES, explanationsOf, nearWords } from '../../src/explanation/vocabulary.js'
import { DESELECT_STATUS, REJECT_REASON, SELECT_STATUS } from '../../src/hsms/control.js'
import { STYPE } from '../../src/hsms/frame/header.js'
import { STYPE_NAMES } from '../../src/hsms/words.js'
import { CHARACTER } from '../../src/secs1/block.js'
import { FORMATS } from '../../src/secs2/format.js'
import type { FaultKind } from '../../src/store/files/repair/verify.js'

const explain = (phrase: string): readonly Explanation[] => explanationsOf(phrase, STANDARD_CATALOGUE)
const kinds = (phrase: string): readonly string[] => explain(phrase).map(({ kind }) => kind)
const codes = (name: string, values: Readonly<Record<string, number>>): string[] =>
  Object.values(values).map((code) => `${name} ${code}`)

describe('every word of the tables is explained, with what to do', () => {
  const stream9 = STANDARD_CATALOGUE.messages.filter(({ stream }) => stream === 9)
  test.each([
    ['error', Object.keys(ERRORS)],
    ['last error of an equipment', CONNECTION_FAULTS],
    ['connection state', CONNECTION_STATES],
    ['communication state', COMMUNICATION_STATES],
    ['control state', CONTROL_STATES],
    ['role', MODES],
    ['outcome of a message', OUTCOMES],
    ['role of a user', ROLES],
    ['timer', Object.keys(DEFAULT_TIMERS)],
    ['SECS-II format', FORMATS],
    ['HSMS message', Object.values(STYPE).map((code) => `SType ${code}`)],
    ['status of Select.rsp', codes('Select.rsp', SELECT_STATUS)],
    ['status of Deselect.rsp', codes('Deselect.rsp', DESELECT_STATUS)],
    ['reason of Reject.req', codes('Reject', REJECT_REASON)],
    ['SECS-I', [...Object.keys(CHARACTER), 'RTY', 'r bit', 'E-bit', 'block number', 'failed block']],
    ['exit code', [0, 1, 2, 3, 4, 5, 6, 7, 8, 129, 130, 143].map((code) => `exit ${code}`)],
    ['error of the command line', Object.keys(EXIT_CODES)],
    ['HTTP status', Object.values(ERRORS).map(({ status }) => String(status))],
    ['message', stream9.map((row) => `S9F${row.function}`)],
  ])('%s', (kind, words) => {
    for (const word of words) expect(kinds(word), word).toContain(kind)
  })

  test('each stream 9 message has advice of its own', () => {
    const next = stream9.map((row) => explain(`S9F${row.function}`)[0]?.next)
    expect(new Set(next).size).toBe(stream9.length)
  })

  test('and nothing in them is empty', () => {
    for (const { word, meaning, next, commands } of ENTRIES) {
      expect(meaning, word).toMatch(/^[A-Z].+\.$/)
      expect(next, word).toMatch(/^[A-Z"].+\.$/)
      expect(commands.length, word).toBeGreaterThan(0)
    }
  })
})

test('an HTTP status tells which errors have it', () => {
  expect(explain('404')).toMatchObject([
    { facts: [['errors', expect.stringMatching(/^not_found, equipment_not_found, /)]] },
  ])
  expect(explain('HTTP 504')).toMatchObject([
    { word: '504', facts: [['errors', 'not_connected_in_time, reply_timeout']] },
  ])
})

describe('advice on codes', () => {
  test.each(Object.entries(CODE_ADVICE))('%s is about values that the catalogue lists', (name, byCode) => {
    const values = Object.keys(STANDARD_CATALOGUE.item(name)?.values ?? {})
    expect(values).toEqual(expect.arrayContaining(Object.keys(byCode)))
  })

  test('shows whether the equipment agreed', () => {
    expect(explain('HCACK=4')).toMatchObject([{ word: 'HCACK=4', facts: [['accepted', 'yes']] }])
    expect(explain('HCACK=2')).toMatchObject([
      { meaning: 'Cannot perform now.', facts: [['accepted', 'no']] },
    ])
    expect(explain('VLAACK=1')[0]?.next).toMatch(/^Compare the request/)
  })

  test('covers all values of every acknowledge code, also those that are not listed', () => {
    for (const item of STANDARD_CATALOGUE.items) {
      for (const code of [...Object.keys(item.values ?? {}), ...(item.values ? ['63', '200'] : [])]) {
        expect(explain(`${item.name}=${code}`)[0]?.next.length, `${item.name}=${code}`).toBeGreaterThan(0)
      }
    }
  })
})

test('every message and item of the catalogue is explained', () => {
  for (const { stream, function: fn } of STANDARD_CATALOGUE.messages) {
    expect(kinds(`s${stream}f${fn}`), `S${stream}F${fn}`).toContain('message')
  }
  for (const { name } of STANDARD_CATALOGUE.items) expect(kinds(name), name).toContain('data item')
})

describe('a word may be typed as it comes', () => {
  test.each([
    ['Select.rsp 1', 'select rsp 1'],
    ['not selected', 'NOT_SELECTED'],
    ['hcack 4', 'HCACK=4'],
    ['HCACK=0x04', 'HCACK=4'],
    ['Reject.req=4', 'reject 4'],
    ['exit code 8', 'EXIT 8'],
    ['8', 'exit 8'],
    ['stream 9', 'S9'],
    ['Separate', 'Separate.req'],
  ])('%s is %s', (one, other) => {
    const found = explain(one)
    expect(found.length).toBeGreaterThan(0)
    expect(explain(other)).toEqual(
      expect.arrayContaining([expect.objectContaining({ meaning: found[0]?.meaning })]),
    )
  })

  test('one that means several things has them all', () => {
    expect(kinds('connection_lost')).toEqual(['error', 'last error of an equipment'])
    expect(kinds('T6')).toEqual(['last error of an equipment', 'timer'])
    expect(kinds('linktest')).toEqual(['timer', 'HSMS message'])
  })

  test('a code without a meaning says so', () => {
    expect(explain('Reject 77')).toMatchObject([{ meaning: 'Unknown to SEMI E37.' }])
    expect(explain('Reject 256')).toEqual([])
    expect(explain('HCACK=33')).toMatchObject([{ meaning: 'Reserved.' }])
  })

  test('what is no word is none', () => {
    for (const nothing of ['', ' ', 'S99F1', 'exit 77', 'constructor', 'HCACK=x', '__proto__']) {
      expect(explain(nothing), nothing).toEqual([])
    }
  })
})

test('a word that is nearly right is told', () => {
  expect(nearWords('reply_timout', STANDARD_CATALOGUE)[0]).toBe('reply_timeout')
  expect(nearWords('HCAK', STANDARD_CATALOGUE)).toContain('HCACK')
  expect(nearWords('not-comunicating', STANDARD_CATALOGUE)).toContain('NOT_COMMUNICATING')
  expect(nearWords('revision', STANDARD_CATALOGUE)).toContain('revision_mismatch')
  expect(nearWords('zzzzzzzz', STANDARD_CATALOGUE)).toEqual([])
})

interface Manifest {
  readonly commands: Readonly<
    Record<string, { readonly flags: Readonly<Record<string, { readonly options?: readonly string[] }>> }>
  >
}

test('a message says who sends it, what replies, what its items mean, and how to send it', () => {
  const [found] = explain('S2F23')
  expect(found?.meaning).toMatch(/^Trace Initialize Send\. The host /)
  const facts = Object.fromEntries(found?.facts ?? [])
  expect(facts).toMatchObject({ reply: expect.stringContaining('S2F24'), TRID: 'trace ID' })
  expect(Object.fromEntries(explain('S2F24')[0]?.facts ?? [])).toMatchObject({
    'reply to': expect.stringContaining('S2F23'),
  })
  expect(found?.commands[0]).toMatch(/^secsctl traces run /)
})

test('what a message is tried with can be sent', () => {
  const sent = STANDARD_CATALOGUE.messages.filter(
    ({ function: fn, direction }) => fn % 2 === 1 && direction !== 'equipment',
  )
  for (const { stream, function: fn } of sent) {
    const line = explain(`S${stream}F${fn}`)[0]?.commands.find((one) => one.endsWith('--dry-run'))
    if (stream === 9) continue
    const [, words = ''] = /^secsctl send EQ S\d+F\d+ ?(.*) --dry-run$/.exec(line ?? '') ?? []
    const data = words === '' ? [] : words.split(' ').map((word) => word.replaceAll("'", ''))
    const given = messageGiven(`S${stream}F${fn}`, data, STANDARD_CATALOGUE)
    expect(
      () => STANDARD_CATALOGUE.buildAny(stream, fn, given.data ?? {}, { sender: 'host' }),
      line,
    ).not.toThrow()
  }
})

describe('the commands to try', () => {
  const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as Manifest
  const said = [
    ...ENTRIES,
    ...STANDARD_CATALOGUE.messages.flatMap((row) => explain(`S${row.stream}F${row.function}`)),
    ...STANDARD_CATALOGUE.items.flatMap(({ name, values = {} }) => [
      ...explain(name),
      ...Object.keys(values).flatMap((code) => explain(`${name}=${code}`)),
    ]),
  ]
  const lines = [...new Set(said.flatMap((found) => found.commands))].map((line) =>
    line.replace(/^.*\| /, ''),
  )
  const own = lines.filter((line) => line.startsWith('secsctl '))

  test('are commands and flags that there are', () => {
    expect(own.length).toBeGreaterThan(100)
    for (const line of own) {
      const words = line
        .replace(/'[^']*'/g, '')
        .split(' ')
        .slice(1)
      const command = commands[words.slice(0, 2).join(':')] ?? commands[words[0] ?? '']
      if (line === 'secsctl --help') continue
      expect(command, line).toBeDefined()
      for (const [at, word] of words.entries()) {
        if (!word.startsWith('--')) continue
        const flag = command?.flags[word.slice(2)]
        expect(flag, line).toBeDefined()
        if (flag?.options) expect(flag.options, line).toContain(words[at + 1])
      }
    }
  })

  test('ask for explanations that there are', () => {
    const asked = own.flatMap((line) => /^secsctl explain (.+)$/.exec(line)?.[1] ?? [])
    expect(asked.length).toBeGreaterThan(10)
    for (const phrase of asked) expect(explain(phrase).length, phrase).toBeGreaterThan(0)
  })

  test('send messages that the catalogue has', () => {
    const names = own.flatMap((line) => /\b(S\d+F\d+)\b/.exec(line)?.[1] ?? [])
    for (const name of names) expect(kinds(name), name).toContain('message')
  })
})

test('the kinds of messages have the names of the standard', () => {
  for (const name of Object.values(STYPE_NAMES).filter((one) => one !== 'data')) {
    expect(explain(name).map(({ word }) => word)).toContain(name)
  }
})

test('every fault of a file that journal verify lists is explained', () => {
  const kinds: Record<FaultKind, true> = {
    ...{ damaged: true, missing: true, torn: true, index: true, snapshot: true, previous: true },
    ...{ given_up: true, newer: true, permissions: true },
  }
  for (const kind of Object.keys(kinds))
    expect(explain(kind), kind).toContainEqual(
      expect.objectContaining({ word: kind, kind: 'fault of a file' }),
    )
})
