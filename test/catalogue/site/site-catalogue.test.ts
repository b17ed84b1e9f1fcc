import { describe, expect, test } from 'vitest'
import { describeMessage } from '../../../src/catalogue/description/message-description.js'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { A, B, F4, L, U1, U4 } from '../../../src/secs2/item.js'
import { extend, item, type Json, message, problems } from '../site-file.js'

const host = { sender: 'host' } as const
const equipment = { sender: 'equipment' } as const

const SITE = {
  $schema: './site.schema.json',
  messages: [
    {
      stream: 64,
      function: 1,
      name: 'Chamber Recipe Request',
      direction: 'host',
      w_bit: 'required',
      structure: '<L <CHAMBER> <L STEPS... <L <STEPNO> <PPARM>>>>',
      source: 'tool manual, page 12',
    },
    {
      stream: 64,
      function: 2,
      name: 'Chamber Recipe',
      direction: 'equipment',
      structure: '<L <ACKC64> <CHAMBER>>',
    },
  ],
  items: [
    { name: 'CHAMBER', formats: ['A', 'U4'], meaning: 'which chamber' },
    { name: 'STEPNO', formats: ['U1'], meaning: 'number of a step' },
    {
      name: 'ACKC64',
      formats: ['B', 'U1'],
      meaning: 'answer to a chamber',
      values: { 0: 'done', 3: 'busy' },
      accepts: [0],
    },
  ],
}

describe('a site’s messages', () => {
  const catalogue = extend(SITE)

  test('are built, read and named like the standard’s', () => {
    const data = { CHAMBER: 'B', STEPS: [{ STEPNO: '1', PPARM: 5 }] }
    expect(catalogue.buildAny(64, 1, data, host)).toEqual(L(A('B'), L(L(U1(1), U4(5)))))
    expect(catalogue.readAny(64, 2, L(U1(3), U4(2)), equipment)).toEqual({ ACKC64: '3', CHAMBER: '2' })
    expect(catalogue.name(64, 1)).toBe('S64F1 Chamber Recipe Request')
    expect(catalogue.wBit(64, 1, 'host')).toBe('required')
    expect(catalogue.codeText('ACKC64', 3)).toBe('busy')
    expect(catalogue.acknowledgement(64, 2, L(B(3), A('B')))).toMatchObject({ accepted: false, text: 'busy' })
    expect(catalogue.buildAny(64, 1, { CHAMBER: '7' }, { ...host, formats: { CHAMBER: 'U4' } })).toEqual(
      L(U4(7), L()),
    )
  })

  test('stand beside the standard’s, which stay as they were', () => {
    expect(catalogue.messages.length).toBe(STANDARD_CATALOGUE.messages.length + 2)
    expect(STANDARD_CATALOGUE.find(64, 1)).toBeUndefined()
    expect(catalogue.buildAny(1, 3, { SVID: ['1'] }, host)).toEqual(L(U4(1)))
  })

  test('say where they come from', () => {
    expect(describeMessage(catalogue, 64, 1)).toMatchObject({
      forms: [{ source: 'tool manual, page 12 (site.json)', replacesStandard: false }],
      items: [{ name: 'CHAMBER', source: { site: 'site.json', replaces: false } }, {}, { name: 'PPARM' }],
    })
  })

  test('need no file with both parts', () => {
    expect(problems({})).toEqual([])
    expect(problems({ messages: [message({})] })).toEqual([])
  })
})

describe('what takes the place of the standard’s', () => {
  const timed = extend({
    messages: [
      {
        stream: 5,
        function: 1,
        name: 'Alarm with its time',
        direction: 'equipment',
        w_bit: 'optional',
        structure: '<L <ALCD> <ALID> <ALTX> <TIMESTAMP>>',
      },
    ],
    items: [{ name: 'ALCD', formats: ['U1'], meaning: 'alarm code' }],
  })

  test('is what counts, and says so', () => {
    expect(describeMessage(timed, 5, 1)).toMatchObject({
      name: 'S5F1 Alarm with its time',
      forms: [{ replacesStandard: true }],
      items: [{ name: 'ALCD', formats: ['U1'], source: { replaces: true } }, {}, {}, {}],
    })
    expect(timed.readAny(5, 1, L(U1(129), U4(7), A('hot'), A('260101000000')), equipment)).toMatchObject({
      TIMESTAMP: '260101000000',
    })
    expect(timed.readAny(5, 1, L(U1(129), U4(7), A('hot')), equipment)).toBeNull()
  })

  test('serves what the gateway itself reads as long as it has the standard’s names', () => {
    const body = L(U1(129), U4(7), A('hot'), A('260101000000'))
    expect(timed.read('S5F1', body, equipment)).toMatchObject({ ALID: '7', ALTX: 'hot' })
    const changes = { stream: 5, direction: 'equipment', w_bit: 'optional', structure: '<L <ALID>...>' }
    const other = extend({ messages: [message(changes)] })
    expect(other.readAny(5, 1, L(U4(7)), equipment)).toEqual({ ALID: ['7'] })
    expect(other.read('S5F1', L(U4(7)), equipment)).toBeNull()
    expect(other.read('S5F1', L(B(129), U4(7), A('hot')), equipment)).toMatchObject({ ALTX: 'hot' })
  })

  test('never adds to what the gateway itself builds', () => {
    const more = extend({
      messages: [message({ stream: 1, function: 17, w_bit: 'required', structure: '<L <TEXT>>' })],
    })
    expect(more.buildAny(1, 17, { TEXT: 'now' }, host)).toEqual(L(A('now')))
    expect(more.build('S1F17', {}, host)).toBeUndefined()
  })

  test('leaves the other side’s half of a message that both may send', () => {
    const own = extend({ messages: [message({ stream: 1, w_bit: 'required', structure: '<TEXT>' })] })
    expect(own.rows(1, 1).map(({ direction, structure }) => [direction, structure])).toEqual([
      ['equipment', ''],
      ['host', '<TEXT>'],
    ])
    expect(own.messages.map(({ stream, function: fn }) => stream * 256 + fn)).toEqual(
      own.messages.map(({ stream, function: fn }) => stream * 256 + fn).sort((a, b) => a - b),
    )
  })
})

describe('an item of a site', () => {
  test.each<[Json, unknown, unknown]>([
    [{ formats: 'any' }, 1.5, { format: 'F8', value: 1.5 }],
    [{ formats: ['F4'], several: true }, [1, 2], F4(1, 2)],
    [{ formats: ['U1', 'A'] }, '7', U1(7)],
  ])('of %j is built of %j', (changes, value, built) => {
    const own = extend({ messages: [message({ structure: '<X>' })], items: [item(changes)] })
    expect(own.buildAny(65, 1, { X: value }, host)).toEqual(built)
  })

  test('may have any name that a structure can have', () => {
    const own = extend({
      messages: [message({ structure: '<L <MY_ITEM2> <RRACK_S20>>' })],
      items: [item({ name: 'MY_ITEM2' }), item({ name: 'RRACK_S20' })],
    })
    expect(own.buildAny(65, 1, { MY_ITEM2: 'a', RRACK_S20: 'b' }, host)).toEqual(L(A('a'), A('b')))
  })

  test('holds one value unless it says several', () => {
    const own = extend({ messages: [message({ structure: '<X>' })], items: [item({ formats: ['U1'] })] })
    expect(() => own.buildAny(65, 1, { X: [1, 2] }, host)).toThrow('takes one value, not 2')
  })
})

describe('what is wrong is told', () => {
  test.each<[Json, string, string]>([
    [{ message: [] }, '/message', 'message is not known here: there is $schema, messages, items'],
    [{ messages: {} }, '/messages', '{} is not an array of messages'],
    [{ messages: [1] }, '/messages/0', '1 is not a message: an object'],
    [{ messages: [message({ stream: 128 })] }, '/messages/0/stream', '128 is not an integer from 0 to 127'],
    [{ messages: [message({ function: 0 })] }, '/messages/0/function', '0 is not an integer from 1 to 255'],
    [{ messages: [message({ name: undefined })] }, '/messages/0/name', 'name is missing'],
    [
      { messages: [message({ direction: 'up' })] },
      '/messages/0/direction',
      '"up" is not one of host, equipment, both',
    ],
    [
      { messages: [message({ wbit: true })] },
      '/messages/0/wbit',
      'wbit is not known here: there is stream, function, name, direction, w_bit, structure, also_read, answer, source',
    ],
    [
      { messages: [message({ w_bit: undefined })] },
      '/messages/0',
      'w_bit is missing: required, optional or forbidden for a primary',
    ],
    [
      { messages: [message({ stream: 2, function: 42, direction: 'equipment', w_bit: 'required' })] },
      '/messages/0/w_bit',
      'a secondary, whose function is even, asks for no reply: required is wrong, leave w_bit out',
    ],
    [
      { messages: [message({ w_bit: 'required' })] },
      '/messages/0/function',
      'a reply is expected, but no S65F2 of the equipment is known',
    ],
    [
      { messages: [message({ function: 2, w_bit: undefined })] },
      '/messages/0/function',
      'there is no primary S65F1 of the equipment that it could reply to',
    ],
    [
      { messages: [message({ stream: 1, function: 3, structure: '<L <SVID>...>' })] },
      '/messages/0/w_bit',
      'no reply is expected, but there is S1F4',
    ],
    [
      { messages: [message({ structure: '<L <TEXT>' })] },
      '/messages/0/structure',
      '"<", "(" or ">" expected, but the text ends',
    ],
    [
      { messages: [message({ also_read: ['<L <TEXT>>', '<L <NONE>>'] })] },
      '/messages/0/also_read/1',
      'there is no item NONE, in the standard or under items',
    ],
    [
      { messages: [message({ structure: '<L <TEXT> <TEXT>>' })] },
      '/messages/0/structure',
      'TEXT occurs twice at one level, which makes data ambiguous',
    ],
    [
      { messages: [message({}), message({ direction: 'both' })] },
      '/messages/1',
      'S65F1 as this sender sends it is already defined',
    ],
    [
      { items: [item({ name: 'L' })] },
      '/items/0/name',
      '"L" is not a name in capitals, digits and underscores that is not L',
    ],
    [
      { items: [item({ name: 'x' })] },
      '/items/0/name',
      '"x" is not a name in capitals, digits and underscores that is not L',
    ],
    [{ items: [item({}), item({})] }, '/items/1/name', 'the item X is already defined'],
    [
      { items: [item({ formats: ['A', 'U3'] })] },
      '/items/0/formats',
      expect.stringContaining('["A","U3"] is not "any", or an array of formats') as unknown as string,
    ],
    [
      { items: [item({ formats: ['L'] })] },
      '/items/0/formats',
      expect.stringContaining('is not') as unknown as string,
    ],
    [
      { items: [item({ formats: [] })] },
      '/items/0/formats',
      expect.stringContaining('is not') as unknown as string,
    ],
    [
      { items: [item({ values: { one: 'x' } })] },
      '/items/0/values/one',
      '"one" is not a code: an integer in quotes',
    ],
    [{ items: [item({ values: { 1: 2 } })] }, '/items/0/values/1', '2 is not text of 1 to 200 characters'],
    [
      { items: [item({ values: { 0: 'x' }, accepts: [0, 1] })] },
      '/items/0/accepts/1',
      `1 is not among the item's values`,
    ],
    [
      { items: [item({ formats: ['U1', 'U2'], values: { 255: 'x', 256: 'y' } })] },
      '/items/0/values/256',
      '256 is outside U1: 0 to 255',
    ],
    [
      { items: [item({ formats: ['B'], values: { '-1': 'x', 255: 'y' } })] },
      '/items/0/values/-1',
      '-1 is outside B: 0 to 255',
    ],
    [
      { items: [item({ formats: ['I1'], values: { '-128': 'x', 128: 'y' } })] },
      '/items/0/values/128',
      '128 is outside I1: -128 to 127',
    ],
    [
      { items: [item({ formats: ['BOOLEAN'], values: { 1: 'x', 2: 'y' } })] },
      '/items/0/values/2',
      '2 is outside BOOLEAN: 0 or 1',
    ],
    [
      { messages: [message({ structure: '<L <TEXT>>', also_read: ['<L  <TEXT>>'] })] },
      '/messages/0/also_read/0',
      'this is the same as structure: give another structure, or leave it out',
    ],
    [
      { messages: [message({ also_read: ['<L <TEXT>>', '<L <TEXT>>'] })] },
      '/messages/0/also_read/1',
      'this is the same as also_read/0: give another structure, or leave it out',
    ],
  ])('%j', (file, pointer, detail) => {
    expect(problems(file)).toEqual([[pointer, detail]])
  })

  test('all of it at once, with file, line and column', () => {
    const text = [
      '{',
      '  "messages": [',
      '    { "stream": 65, "function": 1, "name": "X", "direction": "host", "w_bit": "required",',
      '      "structure": "<L <NONE> <TEXT>>" }',
      '  ],',
      '  "items": [{ "name": "Y", "formats": ["A"], "meaning": "y", "accepts": [1] }]',
      '}',
    ].join('\n')
    expect(() => extend(text)).toThrow(
      [
        'site.json:3:33 /messages/0/function: a reply is expected, but no S65F2 of the equipment is known',
        'site.json:4:25 /messages/0/structure: there is no item NONE, in the standard or under items',
        `site.json:6:74 /items/0/accepts/0: 1 is not among the item's values`,
      ].join('\n'),
    )
  })

  test('also beside what is not written as it should be, as far as that does not depend on it', () => {
    const file = {
      messages: [
        message({ stream: 200 }),
        message({ w_bit: 'required', structure: '<L <NONE>' }),
        message({ function: 2, w_bit: undefined, structure: '<Y>' }),
      ],
      items: [item({ name: 'y' }), item({ accepts: [1] })],
    }
    expect(problems(file).map(([pointer]) => pointer)).toEqual([
      '/messages/0/stream',
      '/messages/1/structure',
      '/items/0/name',
      '/items/1/accepts/0',
    ])
    expect(problems({ messages: [message({ structure: '<NONE>' })], items: 1 })).toEqual([
      ['/items', '1 is not an array of items'],
    ])
    expect(problems({ messages: [message({ structure: '<NONE>' })], item: 1 }).map(([at]) => at)).toEqual([
      '/messages/0/structure',
      '/item',
    ])
  })

  test('of a text that is no JSON', () => {
    expect(() => extend('{\n  "messages": [,]\n}')).toThrow('site.json:2:16 a value expected, but found ,')
    expect(() => extend('')).toThrow('site.json:1:1 a value expected, but the text ends')
    expect(() => extend('[]')).toThrow('site.json:1:1 [] is not an object with messages and items')
  })

  test('within bounds', () => {
    expect(() => extend(`{${' '.repeat(1024 * 1024)}}`)).toThrow('characters; at most 1048576 are accepted')
    const many = { messages: Array.from({ length: 150 }, () => message({ stream: 200 })) }
    expect(() => extend(many)).toThrow(/and 50 more$/)
  })
})
