import { expect, test } from 'vitest'
import { pageAt } from '../../src/web/shell/page-at.js'

test('a path has a page, and names what it is about', () => {
  const pages = [{ path: '/' }, { path: '/equipment/:id' }]
  expect(pageAt('/', pages)?.params).toEqual({})
  expect(pageAt('/equipment/a%20b', pages)?.params).toEqual({ id: 'a b' })
  expect(pageAt('/equipment/%zz', pages)?.params).toEqual({ id: '%zz' })
  expect(pageAt('/equipment', pages)).toBeUndefined()
  expect(pageAt('/equipment/a/b', pages)).toBeUndefined()
})
