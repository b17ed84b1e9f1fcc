import { expect, test } from 'vitest'

test('what the shell that runs the tests holds is not what they see', () => {
  const { FORCE_COLOR, NO_COLOR, COLORTERM, LANG, LC_ALL, TZ } = process.env
  expect({ FORCE_COLOR, NO_COLOR, COLORTERM, LANG, LC_ALL, TZ }).toEqual({
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  })
  expect(Object.keys(process.env).filter((name) => name.startsWith('SECSCTL_'))).toEqual([])
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('UTC')
})
