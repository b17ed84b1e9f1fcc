import { describe, expect, test } from 'vitest'
import { describeItem } from '../../../src/catalogue/description/item-description.js'
import { describeMessage } from '../../../src/catalogue/description/message-description.js'
import { extendCatalogue } from '../../../src/catalogue/site/site-catalogue.js'
import { STANDARD_CATALOGUE as CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import {
  DESCRIPTION_COLUMNS,
  describeMessages,
  itemAsJson,
  itemAsTsv,
  itemInWords,
  messageAsJson,
  messageAsTsv,
  messageInWords,
} from '../../../src/cli/messages/catalogue-output.js'
import { tsv } from '../../../src/cli/output/output.js'

const message = (stream: number, fn: number) => known(describeMessage(CATALOGUE, stream, fn))
const item = (name: string) => known(describeItem(CATALOGUE, name))

describe('a message', () => {
  test('in words has its ways, structures, items and codes', () => {
    const words = messageInWords(message(1, 14))
    expect(words).toMatch(/^S1F14 Establish Communications Acknowledge\n\nhost to equipment, no reply\n/)
    expect(words).toContain('\n  <L <COMMACK> <L>>\n  another structure')
    expect(words).toContain('\nequipment to host, no reply\n  <L <COMMACK> <L? <MDLN> <SOFTREV>>>\n')
    expect(words).toContain('\nCOMMACK  reply to the request to communicate\n  B\n    0  accepted\n')
  })

  test('in words is no wider than a terminal, as far as its structure goes', () => {
    for (const described of describeMessages(CATALOGUE)) {
      const lines = messageInWords(described).split('\n')
      expect(lines.filter((line) => /^ *<L/.test(line) && line.length > 80)).toEqual([])
    }
  })

  test('in words leaves a long list of codes to its item', () => {
    expect(messageInWords(message(17, 2))).toMatch(/\n {2}68 codes: catalogue describe ERRCODE$/)
    expect(itemInWords(item('ERRCODE'), CATALOGUE)).toMatch(
      /\n {6}0 {2}no error\n(?:.*\n)* {2}32784 {2}transfer cancelled\n {9}and others\n/,
    )
  })

  test('in a pipe loses nothing: a line a fact, its kind first', () => {
    const lines = messageAsTsv(message(2, 42)).trimEnd().split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'message\tS2F42\tHost Command Acknowledge',
      `form\tequipment\tforbidden\t<L <HCACK> <L PARAMS... <L <CPNAME> <CPACK>>>>\t${message(2, 42).forms[0]?.source}`,
      'item\tHCACK\tB\treply to a host command',
      'code\tHCACK\t0\tdone',
    ])
    expect(lines).toContain('code\tCPACK\t2\tillegal value')
    expect(messageAsTsv(message(1, 3))).toContain('also\thost\trequired\t<SVID...>\t')
  })

  test('as JSON has names as the API has them', () => {
    expect(messageAsJson(message(1, 3))).toMatchObject({
      stream: 1,
      function: 3,
      name: 'S1F3 Selected Equipment Status Request',
      replies: true,
      forms: [{ direction: 'host', w_bit: 'required', structure: '<L <SVID>...>', also_read: ['<SVID...>'] }],
      items: [{ name: 'SVID', formats: expect.arrayContaining(['U4', 'A']) }],
    })
  })
})

test('a message that a site says the answer to is reported with it', () => {
  const site = {
    messages: [
      {
        stream: 5,
        function: 1,
        name: 'Alarm',
        direction: 'equipment',
        w_bit: 'optional',
        structure: '<L <ALID>...>',
        answer: { ACKC5: '0' },
      },
    ],
  }
  const described = known(
    describeMessage(extendCatalogue(CATALOGUE, JSON.stringify(site), 'site.json'), 5, 1),
  )
  expect(messageInWords(described)).toContain('\n  <L <ALID>...>\n  reply of the gateway: {"ACKC5":"0"}\n')
  expect(messageAsTsv(described)).toContain('\nanswer\tequipment\t{"ACKC5":"0"}\n')
  expect(messageAsJson(described)).toMatchObject({ forms: [{ answer: { ACKC5: '0' } }] })
})

describe('a data item', () => {
  test('in words has its formats, its codes, and the messages that have it', () => {
    const words = itemInWords(item('CPACK'), CATALOGUE)
    expect(words).toMatch(/^CPACK {2}what was wrong with a parameter\n {2}B\n {4}0 {2}no error\n/)
    expect(words).toMatch(/\n\nIn\n {2}S2F42 Host Command Acknowledge$/)
  })

  test('in a pipe is a line a fact', () => {
    const lines = itemAsTsv(item('HCACK')).trimEnd().split('\n')
    expect(lines[0]).toBe('item\tHCACK\tB\treply to a host command')
    expect(lines.slice(-2)).toEqual(['message\tS2F42', 'message\tS2F50'])
  })

  test('as JSON shows whether all its codes are known, and which of them mean accepted', () => {
    const { codes, ...rest } = itemAsJson(item('HCACK').item)
    expect(rest).toMatchObject({ name: 'HCACK', formats: ['B'], complete: true, accepts: [0, 4] })
    expect(codes?.[2]).toEqual({ code: 2, meaning: 'cannot perform now' })
    expect(itemAsJson(item('ERRCODE').item)).toMatchObject({ complete: false })
    expect(itemAsJson(item('SV').item)).toEqual({
      name: 'SV',
      formats: 'any',
      meaning: item('SV').item.meaning,
    })
  })

  test('has codes below zero before the others', () => {
    expect(itemAsJson(item('BLKDEF').item).codes?.map(({ code }) => code)).toEqual([-1, 0, 1])
  })
})

test('the list has each message once, in order, and of one stream if wanted', () => {
  const all = describeMessages(CATALOGUE).map(({ stream, function: fn }) => stream * 256 + fn)
  expect(all).toEqual([...new Set(all)].sort((a, b) => a - b))
  const lines = tsv(describeMessages(CATALOGUE, 9), DESCRIPTION_COLUMNS).trimEnd().split('\n')
  expect(lines).toHaveLength(7)
  expect(lines[0]).toBe('S9F1\tUnrecognized Device ID\tequipment to host\tno reply')
  expect(tsv([message(1, 13)], DESCRIPTION_COLUMNS)).toContain('\teither way\treply required\n')
})

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the catalogue does not know it')
  return found
}
