import { describe, expect, test } from 'vitest'
import { parseSelector } from '../../src/contract/selector.js'
import { Tool } from '../../src/web/gateway/site.js'
import { labelsChosen, labelValues } from '../../src/web/parts/labels.js'
import { barsPath } from '../../src/web/parts/sparkline.js'
import { columnsOf, filling, gridOf, pagesOf, sizeFor, zoomed } from '../../src/web/wall/fit.js'
import {
  choiceOf,
  countStates,
  grouped,
  inStates,
  matching,
  usualGroup,
} from '../../src/web/wall/selection.js'
import { SIZES, type Size } from '../../src/web/wall/sizes.js'
import { linesOf, sharedBeginning, shownName, tileNames } from '../../src/web/wall/tile-names.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const tool = (name: string, labels: Readonly<Record<string, string>> = {}, enabled = true): Tool =>
  new Tool(sampleEquipment({ id: `eq_${name}`, name, labels, enabled }))
const tools = (count: number, bay = '1'): Tool[] =>
  Array.from({ length: count }, (_, at) => tool(`etcher-${bay}-${at}`, { bay }))
const names = (found: readonly Tool[]): string[] => found.map(({ record }) => record.name)

describe('what the wall shows', () => {
  const site = [
    tool('etcher-1', { bay: '3', area: 'etch' }),
    tool('etcher-2', { bay: '10', area: 'etch' }, false),
    tool('furnace', { area: 'diffusion' }),
  ]

  test('is in its address', () => {
    const query = new URLSearchParams(
      'q=etch&state=disabled&state=nonsense&labels=area=etch,bay!=4&group=none&size=s',
    )
    expect(choiceOf(query, 'bay')).toEqual({
      search: 'etch',
      states: ['disabled'],
      groupBy: '',
      size: 's',
      selector: parseSelector('area=etch,bay!=4'),
    })
    expect(choiceOf(new URLSearchParams('size=huge'), 'bay')).toMatchObject({
      groupBy: 'bay',
      size: undefined,
    })
    expect(() => choiceOf(new URLSearchParams('wall=bay%3D'), '')).not.toThrow()
    expect(() => choiceOf(new URLSearchParams('wall=(bay'), '')).toThrow('position 1')
  })

  test('has all words of the search, and the labels', () => {
    const found = (query: string) => names(matching(site, choiceOf(new URLSearchParams(query), '')))
    expect(found('q=ETCH bay=10')).toEqual(['etcher-2'])
    expect(found('labels=bay')).toEqual(['etcher-1', 'etcher-2'])
    expect(found('q=fur&labels=bay')).toEqual([])
  })

  test('is counted and narrowed by state', () => {
    expect([...countStates(site)]).toEqual([
      ['remote', 2],
      ['disabled', 1],
    ])
    expect(names(inStates(site, ['disabled']))).toEqual(['etcher-2'])
    expect(inStates(site, [])).toHaveLength(3)
  })

  test('is grouped by a label in the order of its numbers; what lacks it comes last', () => {
    expect(grouped(site, 'bay').map(({ value }) => value)).toEqual(['3', '10', undefined])
    expect(grouped(site, '')).toHaveLength(1)
    expect(grouped(site, 'constructor').map(({ value }) => value)).toEqual([undefined])
    expect(usualGroup(site)).toBe('bay')
    expect(usualGroup([tool('a', { vendor: 'x' }), tool('b', { vendor: 'y' })])).toBe('vendor')
    expect(usualGroup([tool('a', { bay: '1' })])).toBe('')
  })

  test('can be chosen by labels that are there', () => {
    expect(labelValues(site)).toEqual(
      new Map([
        ['area', ['diffusion', 'etch']],
        ['bay', ['3', '10']],
      ]),
    )
    expect(labelsChosen('bay=3,area=etch')).toEqual(
      new Map([
        ['bay', '3'],
        ['area', 'etch'],
      ]),
    )
    expect(labelsChosen('bay in (1,2)')).toEqual(new Map())
  })
})

describe('names on tiles', () => {
  const chambers = Array.from(
    { length: 24 },
    (_, at) => `ETCH-AMAT-CENTURA-${String(at + 1).padStart(2, '0')}-CHB`,
  )
  const shown = (all: readonly string[], size: Size, hasHeading = true) => {
    const names = tileNames(all, size, hasHeading)
    return { shared: names.shared, texts: all.map((name) => shownName(name, names, size)) }
  }

  test('are whole where they have room', () => {
    expect(shown(['etcher-001', 'etcher-002'], 's')).toEqual({
      shared: '',
      texts: ['etcher-001', 'etcher-002'],
    })
  })

  test('leave out what the heading says for all of them', () => {
    const { shared, texts } = shown(chambers, 'xs')
    expect([shared, texts[0], texts[23]]).toEqual(['ETCH-AMAT-CENTURA-', '01-CHB', '24-CHB'])
    // One of another kind does not hide what the others share, and is shown whole.
    const mixed = shown([...chambers, 'PRE-CLEAN-1'], 's')
    expect([mixed.shared, mixed.texts.at(0), mixed.texts.at(-1)]).toEqual([shared, '01-CHB', 'PRE-CLEAN-1'])
    expect(tileNames([...chambers, 'PRE-CLEAN-1'], 's', true).isOfAll).toBe(false)
    expect(sharedBeginning([...chambers, '01-CHB'])).toBe('')
    expect(sharedBeginning(['A-1', 'A-'])).toBe('')
    expect(sharedBeginning(['A-1'])).toBe('')
    expect(sharedBeginning(['ABC1', 'ABC2'])).toBe('')
  })

  test('differ at every size, also without a heading, and where they only differ at the end', () => {
    const ends = Array.from(
      { length: 30 },
      (_, at) => `Lithography cell of bay ${at % 3} with scanner number ${at}`,
    )
    for (const all of [chambers, ends, [...chambers, ...ends]])
      for (const size of Object.keys(SIZES) as Size[])
        for (const hasHeading of [true, false])
          expect(new Set(shown(all, size, hasHeading).texts).size, `${size} ${hasHeading}`).toBe(all.length)
  })
})

describe('tiles on a screen', () => {
  const shape = (pages: ReturnType<typeof pagesOf>) =>
    pages.map((page) =>
      page.map(({ value, tools: { length }, columns }) => `${value}: ${length} in ${columns}`),
    )

  test('small groups share a row, and a group without room begins the next', () => {
    const groups = grouped([...tools(2, '1'), ...tools(3, '2'), ...tools(9, '3')], 'bay')
    expect(shape(pagesOf(groups, 'm', 6, Number.POSITIVE_INFINITY))).toEqual([
      ['1: 2 in 2', '2: 3 in 3', '3: 9 in 6'],
    ])
  })

  test('what does not fit comes on further pages, and no tile is missing or there twice', () => {
    const groups = grouped([...tools(7, '1'), ...tools(40, '2'), ...tools(5, '3')], 'bay')
    const pages = pagesOf(groups, 's', 6, 3 * SIZES.s.height + 4)
    expect(pages.length).toBeGreaterThan(2)
    const shown = pages.flat().flatMap(({ tools }) => names(tools))
    expect(shown).toEqual(names(groups.flatMap(({ tools }) => tools)))
  })

  test('on a screen that is too small for one tile, each page has one row', () => {
    expect(pagesOf(grouped(tools(3), ''), 'l', 1, 1)).toHaveLength(3)
  })

  test('are as large as fits', () => {
    const screen = { width: 120, height: 60 }
    expect(filling(grouped(tools(4), ''), screen)).toMatchObject({ size: 'l' })
    expect(filling(grouped(tools(4), ''), screen).zoom).toBeGreaterThan(1.5)
    expect(filling(grouped(tools(80), ''), screen).size).toBe('m')
    expect(filling(grouped(tools(300), ''), screen).size).toBe('xs')
    expect(filling(grouped(tools(2000), ''), screen)).toMatchObject({ size: 'xs', zoom: 1 })
    // Large groups share rows where all tiles then fit.
    const bays = (each: number) => grouped(Array.from('abcdefgh', (bay) => tools(each, bay)).flat(), 'bay')
    const small = { width: 118, height: 58 }
    const { size, zoom, beside } = filling(bays(25), small)
    expect([size, beside > 1]).toEqual(['xs', true])
    const within = zoomed(small, zoom)
    const { columns, widest } = gridOf(size, within, beside)
    expect(columns % widest).toBe(0)
    expect(pagesOf(bays(25), size, columns, within.height, widest)).toHaveLength(1)
    expect(pagesOf(bays(25), size, columns, within.height).length).toBeGreaterThan(1)
    expect(sizeFor(grouped(tools(2000), ''), screen, 's')).toBe('s')
    expect(columnsOf('l', { width: 3, height: 3 })).toBe(1)
  })
})

test.each([
  ['ETCH-01', 'm', ['ETCH-01']],
  ['ETCH-AMAT-CENTURA-01', 'm', ['ETCH-AMAT-', 'CENTURA-01']],
  ['LITHO-ASML-NXT-01', 'm', ['LITHO-ASML-', 'NXT-01']],
  ['ABCDEFGHIJKLMNOPQRST', 'm', ['ABCDEFGHIJKLMNOPQRST']],
  ['A-BCDEFGHIJKLMNOPQRSTU', 'm', ['A-BCDEFGHIJKLMNOPQRSTU']],
  ['ABCDEFGHIJKL-MNOPQRSTUVW', 'm', ['ABCDEFGHIJKL-MNOPQRSTUVW']],
] as const)('the name %s is broken after a separator where both lines fit', (name, size, lines) => {
  expect(linesOf(name, size)).toEqual(lines)
})

test('a sparkline is as high as its highest bar, and a single message is seen', () => {
  expect(barsPath([0, 100, 1])).toBe('M22 20v-20h.8v20zM23 20v-1h.8v1z')
  expect(barsPath([])).toBe('')
})
