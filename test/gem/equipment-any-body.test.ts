import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { Structure } from '../../src/catalogue/structure/structure.js'
import { CAPABILITY_MESSAGES } from '../../src/gem/capabilities.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import type { Format } from '../../src/secs2/format.js'
import { type Item, L } from '../../src/secs2/item.js'
import { fromTypedJson } from '../../src/secs2/json.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { GemPair } from '../support/gem-pair.js'
import { type Random, SEED, withSeed } from '../support/random.js'

const TEXTS = ['', '1', 'CLEAN', '000001', 'ÿ', '-1', '1e99', 'x'.repeat(200)] as const
/** Katakana in Shift JIS; a euro sign in UTF-8, behind the word that says so. */
const BEYOND_LATIN_1: Readonly<Record<'J' | 'C', readonly (readonly number[])[]>> = {
  J: [[0xb1], [0x31]],
  C: [
    [0, 2, 0xe2, 0x82, 0xac],
    [0, 2, 0x31],
  ],
}
const NUMBERS: Readonly<Record<string, readonly (number | string)[]>> = {
  I1: [-128, 0, 1, 127],
  I2: [-1, 1, 4001],
  I4: [-1, 0, 2_000_000_000],
  I8: ['-9223372036854775808', 1],
  U1: [0, 1, 5, 11, 255],
  U2: [1, 6, 300, 4001],
  U4: [0, 1, 1001, 4_294_967_295],
  U8: [1, '18446744073709551615'],
  F4: [0.5, -1, 'NaN', 'Infinity'],
  F8: [1e300, -0.5],
  B: [0, 1, 128, 255],
}

/** Something that is not ours to choose: any value that this format can have, several where that may be. */
function anyLeaf(random: Random, formats: readonly Format[], isSingle: boolean): Item {
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
  const format = pick(formats)
  if (format === 'L') return L(...Array.from({ length: random(3) }, () => anyLeaf(random, ['A', 'U1'], true)))
  if (format === 'A') return fromTypedJson({ A: pick(TEXTS) })
  if (format === 'J' || format === 'C') return fromTypedJson({ [format]: pick(BEYOND_LATIN_1[format]) })
  const length = isSingle ? random(2) : random(4)
  const values = Array.from({ length }, () =>
    format === 'BOOLEAN' ? random(2) === 1 : pick(NUMBERS[format] ?? [0]),
  )
  return fromTypedJson({ [format]: values })
}

function anyBody(random: Random, structure: Structure): Item {
  const leaf = (name: string, isMany: boolean): Item => {
    const known = STANDARD_CATALOGUE.item(name)
    if (!known) throw new Error(name)
    return anyLeaf(random, known.formats, known.single && !isMany)
  }
  switch (structure.kind) {
    case 'nothing':
      return L()
    case 'item':
      return leaf(structure.name, structure.many)
    case 'items':
      return L(...Array.from({ length: random(4) }, () => leaf(structure.name, false)))
    case 'list':
      if (structure.mayBeEmpty && random(4) === 0) return L()
      return L(...structure.members.map((member) => anyBody(random, member)))
    case 'group':
      return L(...Array.from({ length: random(4) }, () => anyBody(random, structure.member)))
    case 'choice':
      return anyBody(random, structure.alternatives[0])
  }
}

const MESSAGES = [...new Set(Object.values(CAPABILITY_MESSAGES).flat())].flatMap((name) => {
  const [stream = 0, fn = 0] = name.slice(1).split('F').map(Number)
  const row = STANDARD_CATALOGUE.find(stream, fn, 'host')
  return row && row.structure !== '' ? [{ stream, fn, structure: STANDARD_CATALOGUE.structures(row)[0] }] : []
})

test('whatever fits a message is answered, and what is answered can be sent', async () => {
  const model = shippedModel('track')
  if (!model) throw new Error('the track is missing')
  const pair = new GemPair({ ...model.equipment, conversationTimeout: 1000 })
  await pair.select()
  const kinds = new Set<string>()
  withSeed(SEED, (random) => {
    for (let turn = 0; turn < 25; turn += 1) {
      for (const { stream, fn, structure } of MESSAGES) {
        const item = decodeBody(encodeBody(anyBody(random, structure)))
        const answer = pair.ask(stream, fn, item)
        kinds.add(answer.kind)
        if (answer.kind === 'reply') encodeBody(answer.message.item)
      }
    }
  })
  // What was defined and announced is said.
  await pair.pass(1000)
  expect([...kinds]).toEqual(['reply'])
})
