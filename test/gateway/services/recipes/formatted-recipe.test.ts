import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../../src/catalogue/standard-catalogue.js'
import { plainReading } from '../../../../src/gateway/records/reading.js'
import {
  bytesOfCommands,
  programIn,
  programItem,
} from '../../../../src/gateway/services/recipes/formatted-recipe.js'
import { A, L, U2, U4 } from '../../../../src/secs2/item.js'
import { printSml } from '../../../../src/secs2/sml/print.js'

const READING = plainReading(STANDARD_CATALOGUE)
const MODEL = { mdln: 'M', softrev: '1.0' }
const sml = (...given: Parameters<typeof programItem>): string =>
  printSml({ stream: 7, function: 23, wait: false, item: programItem(...given) }).replace(/\s+/g, ' ')

test.each([
  [{ mdln: 'X', softrev: '2' }, MODEL, '<A "X"> <A "2">'],
  [{}, MODEL, '<A "M"> <A "1.0">'],
  [{}, null, '<A ""> <A "">'],
])('a program with %j for a model %j has the header %s', (given, model, header) => {
  expect(sml('R7', { ...given, commands: [] } as never, model, READING)).toBe(
    `S7F23 <L [4] <A "R7"> ${header} <L [0]> >.`,
  )
})

test.each([
  [5, {}, '<U2 5>'],
  [0xffff, {}, '<U2 65535>'],
  [0x10000, {}, '<U4 65536>'],
  [5, { CCODE: 'U1' as const }, '<U1 5>'],
  ['GO', {}, '<A "GO">'],
])('the code %j of a command in the formats %j is %s', (ccode, formats, item) => {
  const commands = [{ ccode, parameters: [{ U4: [1] }] }]
  expect(sml('R7', { commands } as never, MODEL, { ...READING, formats })).toContain(
    `<L [1] <L [2] ${item} <L [1] <U4 1> > > >`,
  )
})

test('what fits no item is refused, with its place', () => {
  const commands = [{ ccode: 'GO', parameters: [{ U1: [300] }] }]
  expect(() => sml('R7', { commands } as never, MODEL, READING)).toThrow(
    expect.objectContaining({
      code: 'invalid_message',
      extra: {
        errors: [{ pointer: expect.stringMatching(/^\/formatted\/COMMANDS/), detail: expect.anything() }],
      },
    }),
  )
})

test('a program is read with the types of its codes and parameters', () => {
  const body = L(A('R7'), A('M'), A('1.0'), L(L(U2(5), L(U4(1))), L(A('GO'), L()), L(L(), L())))
  expect(programIn(body, READING)).toEqual({
    mdln: 'M',
    softrev: '1.0',
    commands: [
      { ccode: 5, parameters: [{ U4: [1] }] },
      { ccode: 'GO', parameters: [] },
      { ccode: '', parameters: [] },
    ],
  })
  expect(programIn(undefined, READING)).toEqual({ mdln: '', softrev: '', commands: [] })
  expect([[...bytesOfCommands(undefined)], bytesOfCommands(body).length]).toEqual([[1, 0], 30])
})
