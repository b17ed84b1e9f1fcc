import { describe, expect, test } from 'vitest'
import { STANDARD_ROWS } from '../../../src/catalogue/rows/standard-rows.js'
import { parseStructure } from '../../../src/catalogue/structure/parse-structure.js'
import { structureText } from '../../../src/catalogue/structure/structure-text.js'

describe('a structure in words', () => {
  test('is on one line where it fits', () => {
    const text = '<L <A> <L? <B> <C...>> (<D> | <L <E>...>) <L F... <L <G>>> <L>>'
    expect(structureText(parseStructure(text), text.length)).toBe(text)
    expect(structureText({ kind: 'nothing' }, 0)).toBe('')
  })

  test('has a member to a line where it does not', () => {
    const structure = parseStructure('<L <A> (<L <B>...> | <L CS... <L <C> <D>>>) <L? <E> <F>>>')
    expect(structureText(structure, 24)).toBe(
      [
        '<L',
        '  <A>',
        '  (',
        '    <L <B>...>',
        '  |',
        '    <L CS...',
        '      <L <C> <D>>',
        '    >',
        '  )',
        '  <L? <E> <F>>',
        '>',
      ].join('\n'),
    )
  })

  test('says the same however wide it is', () => {
    for (const { structure } of STANDARD_ROWS) {
      const parsed = parseStructure(structure)
      expect(parseStructure(structureText(parsed, 40))).toEqual(parsed)
      expect(structureText(parsed, Number.POSITIVE_INFINITY)).toBe(structure)
    }
  })
})
