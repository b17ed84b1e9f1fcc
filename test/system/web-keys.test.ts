import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

let site: WebSite
beforeAll(async () => {
  site = await WebSite.start({ tools: 3 })
}, 120_000)
afterAll(() => site.close())

test('keys lead to pages, to the search and to equipment, and not while somebody types', async () => {
  const { page, errors } = await openPage(site.browser)
  await site.logIn(page)
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('we?')
  expect(await page.getByRole('searchbox', { name: 'Search alarms' }).inputValue()).toBe('we?')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to equipment' })
  await palette.getByRole('option').nth(2).waitFor()
  await page.keyboard.type('etcher 00')
  await page.keyboard.press('ArrowDown')
  expect(await axeFindings(page)).toEqual([])
  const name = await palette.locator('[aria-selected="true"] b').textContent()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: name ?? '', exact: true }).waitFor()
  expect(name).toMatch(/2$/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('no such tool')
  await palette.getByText('No equipment matches.').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('w')
  await page.getByRole('heading', { level: 1, name: 'Wall' }).waitFor()
  expect(errors).toEqual([])
})
