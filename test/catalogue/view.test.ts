import { expect, test } from 'vitest'
import { sentBy } from '../../src/catalogue/view.js'
import { LATIN1 } from '../../src/secs2/text.js'

test('the view of one side has all of the view, and is made once for each view', () => {
  const view = { text: LATIN1, formats: { SVID: 'U2' }, name: 'etcher' }
  expect(sentBy(view, 'host')).toEqual({ ...view, sender: 'host' })
  expect(sentBy(view, 'equipment')).toEqual({ ...view, sender: 'equipment' })
  expect(sentBy(view, 'host')).toBe(sentBy(view, 'host'))
  expect(sentBy({ ...view, name: 'other' }, 'host')).toEqual({ ...view, name: 'other', sender: 'host' })
})
