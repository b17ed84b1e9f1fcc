import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage, PLACES } from './chromium.js'
import { fabNames } from './fab-names.js'
import { lanesByHand, longestTask } from './long-tasks.js'
import { WebSite } from './web-site.js'

const TOOLS = 200
const ALARMS = 6000
const HOUR_MS = 3_600_000
const HOSTILE = '<img src=x onerror="document.title=1">'
const NAMES = fabNames(TOOLS)
/** `PICTURES=/tmp/x` writes what somebody looks at, and `WRITE_PICTURES=1` the picture of docs/web. */
const { PICTURES, WRITE_PICTURES } = process.env

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: 2 })
})
afterAll(() => site.close())

/**
 * 170 hours of alarms of 200 tools, as the gateway would list them: few tools have most of them. Seven days end within
 * the present hour, so that some are older than seven days at each minute of it.
 */
async function withAlarms(page: Page): Promise<void> {
  const now = Date.now()
  const items = Array.from({ length: ALARMS }, (_, at) => {
    const tool = Math.floor((TOOLS * ((at * 7919) % 1009) ** 3) / 1009 ** 3)
    return {
      ...{ id: String(1_000_000 - at), alid: String(4001 + (at % 4)), category: 4, category_text: 'control' },
      ...{ equipment_id: `eq_${tool}`, equipment_name: tool === 1 ? HOSTILE : NAMES[tool]?.name },
      ...{ text: at % 4 === 0 ? HOSTILE : 'Chamber pressure high', active: false, count: 1 },
      ...{ set_at: new Date(now - (at / ALARMS) ** 2 * 170 * HOUR_MS).toISOString(), cleared_at: null },
      ...{ acknowledged: true, acknowledged_by: null, acknowledged_at: null, comment: null },
    }
  })
  await page.route(/\/api\/v1\/alarms\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams
    const found = items.filter(({ set_at }) => set_at >= (query.get('from') ?? ''))
    const begin = Number(query.get('cursor') ?? 0)
    const end = begin + Number(query.get('limit'))
    const next_cursor = end < found.length ? String(end) : null
    await route.fulfill({ json: { items: found.slice(begin, end), next_cursor, incomplete: [] } })
  })
}

test.each(PLACES)(
  'alarm rates in %s at %i × %i: a day, a week, and the alarms of one hour',
  async (colorScheme, width, height) => {
    const { page, errors } = await openPage(site.browser, { colorScheme, viewport: { width, height } })
    await withAlarms(page)
    await site.logIn(page)
    await page.keyboard.press('r')
    await page.getByRole('heading', { level: 1, name: 'Alarm rates' }).waitFor()
    await page.locator('.heat-cell').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/rates-day-${colorScheme}-${width}.png` })
    if (WRITE_PICTURES === '1' && width === 1280) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.screenshot({ path: 'docs/web/alarm-rates-dark.png' })
    }
    // What a busy machine did beside one of the looks is not in the shortest.
    const shares: number[] = []
    while (shares.length < 3 && !shares.some((share) => share < 20)) {
      if (shares.length > 0) await page.getByRole('radio', { name: '24 hours' }).check()
      const week = await longestTask(page, async () => {
        await page.getByRole('radio', { name: '7 days' }).check()
        await page.getByText(/^5,9\d{2} alarms of/).waitFor()
        await until(async () => (await page.locator('.heat-cell').count()) > 1000)
      })
      const byHand = await lanesByHand(page)
      console.log(
        `longest task of a week: ${Math.round(week)} ms; 200 lanes by hand: ${Math.round(byHand)} ms`,
      )
      shares.push(week / byHand)
    }
    expect(Math.min(...shares)).toBeLessThan(20)
    // The keyboard goes from the sums to a tool, and opens its hour.
    await page.locator('.heat-cell[tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    const label = (await page.evaluate('document.activeElement.getAttribute("aria-label")')) as string
    const count = Number(label.split(' ')[0])
    await page.keyboard.press('Enter')
    await until(async () => (await page.locator('.heat-alarms li').count()) === Math.min(100, count))
    expect(new URL(page.url()).search).toMatch(/span=week.*equipment=eq_\d+&hour=20/)
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.locator('#content img').count()).toBe(0)
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/rates-week-${colorScheme}-${width}.png` })
    // A link opens the same view.
    await page.reload()
    await until(async () => (await page.locator('.heat-alarms li').count()) === Math.min(100, count))
    expect(errors).toEqual([])
  },
)

test('a new alarm is counted when it comes, and hours are saved as a file', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/alarm-rates')
  await page.getByText('No alarm in this time.').waitFor()
  await site.tell('etcher-001 alarm 4001 set', 'etcher-001 alarm 4002 set')
  await page.getByRole('link', { name: /^2 alarms, etcher-001/ }).click()
  await page.locator('.heat-alarms').getByText('Chamber pressure high').waitFor()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.toolbar').getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(readFileSync(await csv.path(), 'utf8')).toMatch(
    /^\ufeffequipment,hour,alarms\r\netcher-001,20[^,]+Z,2\r\n$/,
  )
})

test('the most frequent alarms are those of today or of seven days', async () => {
  const { page } = await openPage(site.browser)
  await withAlarms(page)
  await site.logIn(page, '/alarms')
  const total = async () =>
    Number(((await page.locator('.pareto header .muted').textContent()) ?? '').replace(/\D/g, ''))
  await until(async () => (await total()) > 0)
  const today = await total()
  await page.getByRole('radio', { name: '7 days' }).check()
  await until(async () => (await total()) > today)
  expect(new URL(page.url()).searchParams.get('pareto')).toBe('week')
  await page.getByRole('link', { name: 'By hour and equipment' }).click()
  await page.getByRole('heading', { level: 1, name: 'Alarm rates' }).waitFor()
})
