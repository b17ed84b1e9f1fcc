import { describe, expect, test } from 'vitest'
import { parseYamlText, YamlTextError } from '../../../src/kit/text/yaml-text.js'

const TEXT = `# a comment
name: oven
variables:
  - { id: 1, name: A }
  - id: 2
    name: "B/C"
odd/name~: { deep: [1, &x [2, 3], *x] }
`

describe('YAML with places', () => {
  const yaml = parseYamlText(TEXT)

  test('reads values as YAML 1.2 has them', () => {
    expect(yaml.value).toMatchObject({
      name: 'oven',
      variables: [
        { id: 1, name: 'A' },
        { id: 2, name: 'B/C' },
      ],
    })
    expect(parseYamlText('on: off\nyes: no\nat: 12:30:00').value).toEqual({
      on: 'off',
      yes: 'no',
      at: '12:30:00',
    })
    expect(parseYamlText('{"a": [1, 2.5, "x", null, true]}').value).toEqual({ a: [1, 2.5, 'x', null, true] })
  })

  test.each([
    ['', 2, 1],
    ['/name', 2, 7],
    ['/variables/0/name', 4, 20],
    ['/variables/1/name', 6, 11],
    ['/variables/1/unit', 5, 5],
    ['/variables/7/name', 4, 3],
    ['/odd~1name~0/deep/1/1', 7, 31],
    ['/odd~1name~0/deep/2/0', 7, 28],
  ])('finds %s', (pointer, line, column) => {
    expect(yaml.placeOf(pointer)).toEqual({ line, column })
  })

  test.each<[string, string, RegExp]>([
    ['a bracket that stays open', 'a: [1,', /^line 1, column 7: /],
    ['a member twice', 'a: 1\nb: 2\na: 3', /^line 3, column 1: .*unique/],
    ['two documents', 'a: 1\n---\nb: 2', /^line 2, column 1: /],
    ['a tab as indent', 'a:\n\tb: 1', /^line 2, column 1: /],
    ['an unknown alias', 'a: *nobody', /^line 1, column 4: /],
    ['a tag that is not known', 'a: !wild 5', /^line 1, column 4: /],
    ['a list that contains itself', 'a: &a [1, *a]', /^line 1, column 11: \*a stands within &a/],
    ['a map that contains itself', '&a\nb:\n  - c: *a', /^line 3, column 8: \*a stands within &a/],
    ['a name that is a list', '? &a [*a]\n: 1', /^line 1, column \d+: /],
    [
      'a name that is an alias',
      'a: &a [1]\nb: { ? *a : 1 }',
      /^line 2, column 8: a name has to be a plain value/,
    ],
    ['depth without end', '['.repeat(5000), /^line 1, column \d+: values are nested/],
    ['depth without end in blocks', '- '.repeat(5000), /^line 1, column \d+: values are nested/],
  ])('says where %s is', (_, text, said) => {
    expect(() => parseYamlText(text)).toThrow(YamlTextError)
    expect(() => parseYamlText(text)).toThrow(said)
  })

  test('aliases do not grow without bounds', () => {
    const lines = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? 'a0: &a0 [x, x]'
        : `a${at}: &a${at} [${Array(9)
            .fill(`*a${at - 1}`)
            .join(', ')}]`,
    )
    expect(() => parseYamlText(lines.join('\n'))).toThrow('aliases expand to too many values')
  })
})
