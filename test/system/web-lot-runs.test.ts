import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage, PLACES, withOldEquipment } from './chromium.js'
import { WebSite } from './web-site.js'

const HOSTILE = '<img src=x onerror="document.title=1">'
/** `PICTURES=/tmp/x` writes what somebody looks at. */
const PICTURES = process.env['PICTURES']

let site: WebSite
let id = ''

beforeAll(async () => {
  site = await WebSite.start({ tools: 1 })
  const [first] = (await site.list<{ id: string }>('/equipment')).items
  id = first?.id ?? ''
  // The gateway then knows the names of the variables in reports.
  for (const kind of ['status', 'data']) await site.call('GET', `/equipment/${id}/variables?kind=${kind}`)
})
afterAll(() => site.close())

async function runLot(lot: string): Promise<void> {
  const parameters = { LOTID: lot, PPID: 'OXIDE-ETCH-01' }
  const command = { command: 'START', parameters }
  expect(await site.call('POST', `/equipment/${id}/command`, command)).toMatchObject({ accepted: true })
  await until(async () => {
    const { items } = await site.list<{ text: string }>(`/equipment/${id}/variables/history?limit=100`)
    return items.filter(({ text }) => text === lot).length >= 2
  })
}

/** Gives the page five lots of a chamber's temperature, with 1,500 values each. */
async function withLots(page: Page): Promise<void> {
  const began = Date.now() - 5 * 3_600_000
  const items: object[] = []
  for (let lot = 0; lot < 5; lot++)
    for (let step = 0; step < 1500; step++) {
      const at = new Date(began + lot * 3_000_000 + step * 1500).toISOString()
      const heat =
        20 +
        180 / (1 + Math.exp(-(step - 300 - lot * 40) / 60)) +
        Math.sin(step / 9) * 2 -
        Math.max(0, step - 1200) / 3
      const common = {
        at,
        sampled_at: null,
        source: 'report',
        event: 'Step',
        message_id: String(1 + items.length),
      }
      items.push({
        ...common,
        id: '1012',
        name: 'ChuckTemperature',
        unit: 'degC',
        value: { F4: [heat] },
        text: String(heat),
      })
      if (step % 100 === 0)
        items.push({
          ...common,
          id: '1101',
          name: 'LotID',
          unit: '',
          value: { A: 'x' },
          text: lot === 3 ? HOSTILE : `LOT-2026-${4711 + lot}`,
        })
    }
  items.reverse()
  await page.route(/\/variables\/history\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams
    const ids = query.getAll('id')
    const found = (items as { at: string; id: string }[]).filter(
      (one) =>
        one.at >= (query.get('from') ?? '') &&
        one.at < (query.get('to') ?? '9') &&
        (ids.length === 0 || ids.includes(one.id)),
    )
    const begin = Number(query.get('cursor') ?? 0)
    const end = begin + Number(query.get('limit'))
    await route.fulfill({
      json: {
        items: found.slice(begin, end),
        next_cursor: end < found.length ? String(end) : null,
        unread: 0,
      },
    })
  })
}

test('a variable of several lots is drawn from the start of each, and the address keeps which', async () => {
  await runLot('LOT-A')
  await runLot(HOSTILE)
  const { page, errors } = await openPage(site.browser)
  await site.logIn(page, `/equipment/${id}`)
  await page.getByRole('heading', { name: 'Runs by lot' }).click()
  const rows = page.locator('.run-table tbody tr')
  await until(async () => (await rows.count()) === 2)
  expect(await rows.locator('b').allTextContents()).toEqual([HOSTILE, 'LOT-A'])
  await page.locator('.lot-runs select').selectOption({ label: 'ProcessState' })
  // Started in state 1, completed in state 0, some seconds later.
  await until(async () => (await page.locator('.run-line path.run-dots').count()) === 2)
  await until(
    async () => (await rows.nth(1).getByRole('cell').allTextContents()).slice(3, 7).join() === '2,0,0.5,1',
  )
  // By keys the time goes on from the start, and the table has the values then.
  await page.getByLabel('Time since the start').focus()
  await page.keyboard.press('ArrowRight')
  await until(async () => (await rows.nth(1).getByRole('cell').first().textContent()) === '1')
  await page.getByRole('checkbox', { name: 'LOT-A' }).uncheck()
  await until(async () => (await page.locator('.run-area .run-line').count()) === 1)
  await page.reload()
  await until(async () => (await page.locator('.run-area .run-line').count()) === 1)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.lot-runs').getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(readFileSync(await csv.path(), 'utf8')).toMatch(
    /^\ufefflot,start,seconds,value\r\n"<img src=x onerror=""document.title=1"">",20/,
  )
  expect(await axeFindings(page)).toEqual([])
  expect(await page.locator('#content img').count()).toBe(0)
  expect(errors).toEqual([])
})

test.each(PLACES)('five lots with 1,500 values each in %s at %i × %i', async (colorScheme, width, height) => {
  const { page } = await openPage(site.browser, { colorScheme, viewport: { width, height } })
  await withLots(page)
  await withOldEquipment(page)
  await site.logIn(page, `/equipment/${id}?runs=1012`)
  await until(async () => (await page.locator('.run-area .run-line').count()) === 4)
  await page.locator('.lot-runs').scrollIntoViewIfNeeded()
  await page.locator('.run-area svg').hover()
  await until(async () => /\d/.test((await page.locator('.run-table tbody td').first().textContent()) ?? ''))
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  if (PICTURES)
    await page.locator('.lot-runs').screenshot({ path: `${PICTURES}/lots-${colorScheme}-${width}.png` })
})
