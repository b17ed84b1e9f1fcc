import { expect, test } from 'vitest'
import { jsonText } from '../../../src/cli/output/json-text.js'

const STEERING = '\x1b[2J\x07\x7f\x9b31m\u202e\u2066ä漢\n'

test('JSON says the same as it was given, and nothing in it steers a terminal', () => {
  const text = jsonText({ [STEERING]: [STEERING] })
  expect(JSON.parse(text)).toEqual({ [STEERING]: [STEERING] })
  expect(text).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
  expect(text).toContain('ä漢')
  expect(jsonText({ a: 1 }, 2)).toBe('{\n  "a": 1\n}')
})
