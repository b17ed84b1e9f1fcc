import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Document, stringify } from 'yaml'
import { definitionText, documentText } from '../../../src/cli/output/definition-text.js'
import { yamlText } from '../../../src/cli/output/yaml-output.js'
import { commentLines, FOR_OLD_READERS } from '../../../src/kit/text/yaml-for-old-readers.js'
import { parseYamlText } from '../../../src/kit/text/yaml-text.js'

test.each([
  ['=', '"="'],
  ['<<', '"<<"'],
  [':x', '":x"'],
  ['which? this', '"which? this"'],
  [' \n', '"\\ \\n"'],
  ['a\tb', '"a\\tb"'],
  ['a\tb\nc\td and a longer text for a line', '"a\\tb\n\n  c\\td and a longer text for a line"'],
  ['a\u0000\u001b\u007f\u0085\u009f', '"a\\0\\e\\u007f\\u0085\\u009f"'],
  ['\u2028\u2029\ufeff\ufffe\uffff\ud800', '"\\u2028\\u2029\\ufeff\\ufffe\\uffff\\ud800"'],
  ['a=b', 'a=b'],
  ['日本 😀 \u00a0é', '日本 😀 \u00a0é'],
])('the text %j is written as %s', (text, written) => {
  expect(stringify({ text }, FOR_OLD_READERS)).toBe(`text: ${written}\n`)
})

const PIECES = [
  ...[
    '=',
    '<<',
    '\t',
    '\n',
    '\r',
    ' ',
    '#',
    ':',
    ': ',
    '- ',
    '? ',
    '?',
    '---',
    '...',
    '%',
    '!',
    '&',
    '*',
    '|',
    '>',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '\\',
    '@',
    '`',
    '~',
    'no',
    '1',
    '.',
    '_',
    '12:30',
    'a',
    'a few words ',
  ],
  ...[
    '\0',
    '\u0007',
    '\u001b',
    '\u007f',
    '\u0080',
    '\u0085',
    '\u009f',
    '\u00a0',
    '\u00ff',
    '日',
    '😀',
    '\u200b',
  ],
  ...['\u2028', '\u2029', '\ud7ff', '\ud800', '\ue000', '\ufeff', '\ufffd', '\ufffe', '\uffff'],
]
const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''))
/** What YAML 1.2 calls c-printable, without tab, carriage return and what YAML 1.1 takes for a line break or a mark. */
const PRINTABLE = /^[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

const WRITERS: Readonly<Record<string, (value: object) => string>> = {
  'a document': (value) => new Document(value, FOR_OLD_READERS).toString({ lineWidth: 0 }),
  'a document with rows': documentText,
  'a definition': (value) => definitionText(value as never),
  'the output of a command': yamlText,
}

test.each(Object.entries(WRITERS))(
  '%s of any texts is read back equal, and has printable characters only',
  (_, write) => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), (texts) => {
        const value = {
          list: texts,
          maps: texts.map((A) => ({ A })),
          deep: texts.map((text) => ({ in: { it: text, list: [{ L: [{ A: text }] }] } })),
          names: Object.fromEntries(texts.map((text) => [text, text])),
        }
        const text = write(value)
        expect(text).toMatch(PRINTABLE)
        expect(parseYamlText(text).value).toEqual(value)
      }),
      { numRuns: 300 },
    )
  },
)

test('a text in a comment ends no line', () => {
  const document = new Document({ a: 1 }, FOR_OLD_READERS)
  document.commentBefore = commentLines([' of a\rb: 2\nc: 3', ' \u0085d: 4 \u2028e: 5'])
  expect(String(document)).toBe('# of a\\u000db: 2\\nc: 3\n# \\u0085d: 4 \\u2028e: 5\n\na: 1\n')
})
