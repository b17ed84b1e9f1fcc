import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage, PLACES, withOldEquipment } from './chromium.js'
import { fabNames } from './fab-names.js'
import { lanesByHand, longestTask } from './long-tasks.js'
import { WebSite } from './web-site.js'

const TOOLS = 200
const HOSTILE = '<img src=x onerror="document.title=1">'
const NAMES = fabNames(TOOLS)
/** `PICTURES=/tmp/x` writes what somebody looks at, and `WRITE_PICTURES=1` the picture of docs/web. */
const { PICTURES, WRITE_PICTURES } = process.env

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: TOOLS })
  const { items } = await site.list<{ id: string }>('/equipment?limit=1000')
  for (const [at, { id }] of items.entries()) {
    const { name = '', bay = '' } = NAMES[at] ?? {}
    const labels = { bay, ...(at === 7 && { e10: 'engineering' }) }
    await site.call('PUT', `/equipment/${id}`, { name: at === 8 ? HOSTILE : name, labels })
  }
  await site.call('POST', `/equipment/${items[3]?.id}/disconnect`)
})
afterAll(() => site.close())

const lane = (page: Page, name: string) =>
  page.getByRole('row', { name }).getByRole('img').first().getAttribute('aria-label')

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` })
}

test('the states of 200 tools in words of E10, what counts as which, and both as files', async () => {
  const { page, errors } = await openPage(site.browser, { viewport: { width: 1280, height: 720 } })
  await site.logIn(page)
  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'Shift' }).waitFor()
  const rows = page.locator('tr[data-id]')
  await until(async () => (await rows.count()) === TOOLS)
  expect(new Set(await rows.locator('a').allTextContents()).size).toBe(TOOLS)
  const first = NAMES[0]?.name ?? ''
  expect(await lane(page, first)).toMatch(/Standby .*Unknown .*at the end Standby since/)
  expect(await lane(page, NAMES[7]?.name ?? '')).toContain('at the end Engineering')
  expect(await lane(page, NAMES[3]?.name ?? '')).toContain('at the end Non-scheduled')
  // Nothing is said to be productive until somebody says what is.
  const figures = page.getByRole('row', { name: first }).getByRole('cell')
  expect(await figures.nth(1).textContent()).toBe('–')
  await page.locator('.e10-mapping summary').click()
  await page.getByLabel('Remote counts as').selectOption('productive')
  expect(new URL(page.url()).search).toBe('?e10=remote.productive')
  await until(async () => (await figures.nth(1).textContent()) !== '–')
  expect(await lane(page, first)).toContain('at the end Productive')
  expect(await axeFindings(page)).toEqual([])

  // A key on a name, and the pointer on a lane, say one state with its times.
  await page.getByRole('link', { name: first }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText(new RegExp(`^${first}: Productive \\(Remote\\), .* to `)).waitFor()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV of states' }).click(),
  ])
  const states = readFileSync(await csv.path(), 'utf8')
  expect(states).toMatch(/^\ufeffequipment,group,from,to,state,e10\r\n/)
  expect(states).toMatch(new RegExp(`${first},ETCH,[^,]+Z,[^,]+Z,remote,productive`))
  const [shares] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  expect(
    readFileSync(await shares.path(), 'utf8')
      .trim()
      .split('\r\n'),
  ).toHaveLength(TOOLS + 1)
  expect(await page.locator('#content img').count()).toBe(0)
  expect(errors).toEqual([])
})

const HOUR_MS = 3_600_000

/** Gives the page twelve hours of a fab: each tool changes its control state, some lose their connection for a while. */
async function withHistory(page: Page): Promise<void> {
  const { items } = await site.list<{ id: string; name: string }>('/equipment?limit=1000')
  const now = Date.now()
  const events = items.flatMap(({ id, name }, tool) =>
    Array.from({ length: 30 }, (_, step) => {
      const at = new Date(now - 12 * HOUR_MS + (step * 24 + ((tool * 7) % 19)) * 60_000).toISOString()
      const event = { equipment_id: id, equipment_name: name, at }
      const isLost = tool % 9 === 2 && step % 10 >= 6
      const [type, changed, from, to] =
        isLost || (tool % 9 === 2 && step % 10 === 0)
          ? [
              'connection',
              'selected',
              ...(step % 10 === 6 ? ['SELECTED', 'CONNECTING'] : ['CONNECTING', 'SELECTED']),
            ]
          : [
              'state',
              'control_state',
              ...(step % 3 === tool % 3
                ? ['ONLINE_REMOTE', 'ONLINE_LOCAL']
                : ['ONLINE_LOCAL', 'ONLINE_REMOTE']),
            ]
      return isLost && step % 10 > 6
        ? []
        : [{ ...event, type, name: changed, data: { from, to, cause: 'x' } }]
    }).flat(),
  )
  events.sort((one, other) => (one.at < other.at ? 1 : -1))
  await page.route(/\/api\/v1\/events\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams
    const ids = query.getAll('equipment_id')
    const found = events.filter(
      ({ at, equipment_id }) =>
        at >= (query.get('from') ?? '') &&
        at < (query.get('to') ?? '9') &&
        (ids.length === 0 || ids.includes(equipment_id)),
    )
    const begin = Number(query.get('cursor') ?? 0)
    const end = begin + Number(query.get('limit'))
    const body = { items: found.slice(begin, end), next_cursor: end < found.length ? String(end) : null }
    await route.fulfill({ json: body })
  })
  await withOldEquipment(page)
}

test.each(PLACES)('the shift in %s at %i × %i', async (colorScheme, width, height) => {
  const { page } = await openPage(site.browser, { colorScheme, viewport: { width, height } })
  await withHistory(page)
  await site.logIn(page, '/shift?e10=remote.productive&hours=12')
  await until(async () => (await page.locator('tr[data-id]').count()) === TOOLS)
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.locator('.shift-lane').nth(5).hover()
  await page.getByText(/: (Productive|Standby) \((Remote|Local)\), /).waitFor()
  await picture(page, `shift-${colorScheme}-${width}`)
  if (WRITE_PICTURES === '1' && colorScheme === 'light' && width === 1280)
    await page.screenshot({ path: 'docs/web/shift-light.png' })
})

test('a shift with a begin stays the same, and what is still to come is neither known nor unknown', async () => {
  const { page } = await openPage(site.browser)
  const begin = new Date(Date.now() - 60_000).toISOString().slice(0, 16)
  await site.logIn(page, `/shift?from=${begin}Z&q=${NAMES[0]?.name}`)
  await page.locator('tr[data-id]').waitFor()
  await until(async () => (await page.locator('tr[data-id] path.e10-future').count()) === 1)
  await page.getByRole('button', { name: 'Until now' }).click()
  await until(async () => (await page.locator('tr[data-id] path.e10-future').count()) === 0)
  expect(new URL(page.url()).searchParams.get('from')).toBeNull()
})

test('200 lanes of 30 changes each are drawn again without holding up the page', async () => {
  const { page } = await openPage(site.browser, { viewport: { width: 1280, height: 720 } })
  await withHistory(page)
  await site.logIn(page, '/shift?hours=12')
  await until(async () => (await page.locator('tr[data-id]').count()) === TOOLS)
  // The lanes are drawn again every five seconds, each a tenth of a unit further to the left.
  const tasks: number[] = []
  const drawn = () => page.locator('.shift-lane path').first().getAttribute('d')
  const rendered = async (): Promise<void> => {
    const before = await drawn()
    await until(async () => (await drawn()) !== before)
  }
  for (let rendering = 0; rendering < 3; rendering++) tasks.push(await longestTask(page, rendered))
  const byHand = await lanesByHand(page)
  console.log(`longest tasks: ${tasks.map(Math.round)} ms; as many lanes by hand: ${Math.round(byHand)} ms`)
  expect(Math.min(...tasks) / byHand).toBeLessThan(3)
})

test('while the gateway did not run, everything is unknown', async () => {
  const began = Date.now()
  await site.stopDaemon()
  const ended = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 8000))
  const restarted = Date.now()
  await site.startDaemon()
  await site.untilCommunicating(TOOLS - 1)
  const { page } = await openPage(site.browser)
  await site.logIn(page, `/shift?from=${new Date(began - 60_000).toISOString().slice(0, 16)}Z`)
  await until(async () => (await page.locator('tr[data-id]').count()) === TOOLS)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV of states' }).click(),
  ])
  const outages = readFileSync(await csv.path(), 'utf8')
    .split('\r\n')
    .map((line) => line.split(','))
    .filter(
      ([, , from = '', to = '', state]) =>
        state === 'unknown' && Date.parse(from) <= ended && Date.parse(to) >= restarted,
    )
  expect(outages.length).toBe(TOOLS)
  await picture(page, 'shift-outage')
})
