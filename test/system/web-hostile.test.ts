import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { openPage } from './chromium.js'
import { WebSite } from './web-site.js'

const RIGHT_TO_LEFT = '\u202e'
const HTML = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
const HOSTILE = `${RIGHT_TO_LEFT}${HTML}\u0000\u0007\u001b[31m${'W'.repeat(10_000)}`
const HOUR_MS = 3_600_000

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: 2, rate: 4 })
  await site.tell('etcher-* alarm 4001 set')
})
afterEach(async () => {
  for (const context of site.browser.contexts()) await context.close()
})
afterAll(() => site.close())

/** Every text of equipment in answers of the gateway is hostile, whatever the gateway itself would refuse. */
async function poison(page: Page): Promise<void> {
  const texts =
    /^(name|equipment_name|text|health_reason|mdln|softrev|detail|cause|comment|acknowledged_by|unit|sml|bay)$/
  const isEnum = /^(state|connection|alarm_set|alarm_cleared|message.*)$/
  await page.route(/\/api\/v1\/(equipment|alarms|events|messages)(\/[^/]+)*(\?.*)?$/, async (route) => {
    // Names in counts are those of the standard.
    if (/\/(stream|traffic)/.test(route.request().url())) return route.continue()
    // A page that a test has left behind may be closed meanwhile.
    const read = route.fetch().then(async (response) => ({ response, text: await response.text() }))
    const found = await read.catch(() => undefined)
    if (!found) return route.abort().catch(() => undefined)
    const body = JSON.parse(found.text, (name, value: unknown) => {
      if (name === 'labels') return { bay: HOSTILE }
      return texts.test(name) && typeof value === 'string' && !isEnum.test(value) ? HOSTILE : value
    }) as object
    await route.fulfill({ response: found.response, body: JSON.stringify(body) }).catch(() => undefined)
  })
}

/** The clock of the computer is wrong by so many hours. */
const withClockAhead = (page: Page, hours: number) =>
  page.addInitScript(`{
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${hours * HOUR_MS}) : super(...given) }
      static now() { return Real.now() + ${hours * HOUR_MS} }
    }
  }`)

test.each([
  ...['/', '/?wall=&group=bay', '/alarms', '/events', '/shift', '/alarm-rates'],
  ...[
    '/equipment/ID',
    '/equipment/ID?ladder=1',
    '/equipment/ID?message=S6F11&sml=1',
    '/equipment/ID?runs=1012',
  ],
])('hostile texts stay texts on %s, and keep to their place at 320 px', async (path) => {
  const { page, errors } = await openPage(site.browser, { viewport: { width: 320, height: 640 } })
  const [first] = (await site.list<{ id: string }>('/equipment')).items
  await poison(page)
  await site.logIn(page, '/')
  await page.goto(site.url + path.replace('ID', first?.id ?? ''))
  await page.getByText('<img src=x').first().waitFor({ state: 'attached' })
  expect(await page.locator('img, #app script').count()).toBe(0)
  expect(await page.title()).not.toMatch(/^[12]$/)
  expect(errors).toEqual([])
  const tooWide = await page.evaluate(`document.documentElement.scrollWidth <= 320 ? [] :
      [...document.querySelectorAll('#app *')].filter((one) => one.getBoundingClientRect().right > 321)
        .map((one) => one.tagName + ' ' + one.className).slice(0, 20)`)
  expect(tooWide).toEqual([])
  // A text from right to left turns only itself.
  const turned = await page.evaluate(`[...document.querySelectorAll('#content *')]
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.includes('\\u202e')))
      .filter((one) => getComputedStyle(one).display.startsWith('inline') && getComputedStyle(one).unicodeBidi !== 'isolate')
      .map((one) => one.tagName + ' ' + one.className)`)
  expect(turned).toEqual([])
  const tooHigh =
    await page.evaluate(`[...document.querySelectorAll('.tile, .event, td, .facts > div, #content h1')]
      .filter((one) => one.getBoundingClientRect().height >= 640)
      .map((one) => one.tagName + ' ' + one.className + ' ' + one.textContent.slice(0, 40))`)
  expect(tooHigh).toEqual([])
})

test.each([-1, 1])('a computer whose clock is wrong by %i h shows the same hours', async (hours) => {
  const { page } = await openPage(site.browser)
  await withClockAhead(page, hours)
  const [first] = (await site.list<{ id: string }>('/equipment')).items
  await site.logIn(page, `/equipment/${first?.id}?hours=1`)
  const lane = page.getByRole('img', { name: /^Connection: SELECTED since/ })
  await lane.waitFor()
  const chart = page.locator('.chart').first()
  await chart.locator('canvas').waitFor()
  const count = async (): Promise<number> =>
    Number(/(\d+) values?$/.exec((await chart.locator('.muted').textContent()) ?? '')?.[1])
  const before = await count()
  await until(async () => (await count()) > before)
  // The present is at the right edge, and not an hour from it.
  const [segment, bar] = [await lane.locator('.segment').last().boundingBox(), await lane.boundingBox()]
  const right = ((segment?.x ?? 0) + (segment?.width ?? 0) - (bar?.x ?? 0)) / (bar?.width ?? 1)
  expect(right).toBeCloseTo(1, 1)
  const end = Number(await page.getByRole('slider').first().getAttribute('aria-valuemax'))
  expect(Math.abs(end - Date.now() / 1000)).toBeLessThan(60)
})

test('a computer whose clock is days ahead shows the times of today without a day', async () => {
  const { page } = await openPage(site.browser)
  await withClockAhead(page, 72)
  await site.logIn(page, '/alarms')
  const set = page.locator('td.alarm-set time')
  await set.first().waitFor()
  const shown = await set.evaluateAll((all) =>
    all.map((one) => ({ at: one.getAttribute('datetime') ?? '', text: one.textContent })),
  )
  // Asked for afterwards: an alarm of before a midnight may have its day.
  const today = new Date().toISOString().slice(0, 10)
  expect(shown.filter(({ at, text }) => at.startsWith(today) && /[a-z]{3} \d/i.test(text ?? ''))).toEqual([])
})

test('a key that is entered into the address bar of an open page is taken, and goes from there', async () => {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'late', role: 'viewer', expires_at: null },
  })
  const { page } = await openPage(site.browser)
  await page.goto(`${site.url}/?wall=`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.goto(`${site.url}/?wall=#key=${key}`)
  await until(async () => (await page.locator('.tile').count()) === 2)
  expect(page.url()).toBe(`${site.url}/?wall=`)
})

test('what a page cannot read while the gateway is away is said in words', async () => {
  const { page } = await openPage(site.browser)
  const [first] = (await site.list<{ id: string }>('/equipment')).items
  await site.logIn(page, `/equipment/${first?.id}`)
  await page.locator('.chart canvas').first().waitFor()
  await page.getByRole('link', { name: 'Wall' }).click()
  await page.locator('.tile').first().waitFor()
  await page.context().setOffline(true)
  await page.locator('.tile a').first().click()
  await page.getByText('This did not work: the gateway does not respond').first().waitFor()
  expect(await page.getByText('Failed to fetch').count()).toBe(0)
  await page
    .getByRole('button', { name: /^Explain/ })
    .first()
    .click()
  await page.getByRole('dialog').getByText('This did not work: the gateway does not respond').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Shift' }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(await page.getByText('Failed to fetch').count()).toBe(0)
})

test('a daemon that is killed and comes back is followed again', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/')
  await page.locator('.tile').first().waitFor()
  await site.stopDaemon('SIGKILL')
  await page.getByText('Reconnecting', { exact: true }).waitFor()
  await page.locator('.tile.state-nodata').first().waitFor()
  // The seconds are counted for those who see them: a screen reader would say each of them.
  const spoken = `[...document.querySelectorAll('[role=alert] :is(strong, span):not([aria-hidden])')].map((one) => one.textContent).join(' ')`
  expect(await page.getByText(/No data from the gateway for \d+ s/).count()).toBe(1)
  expect(await page.evaluate(spoken)).toBe('No data from the gateway.')
  await site.startDaemon()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('.tile:is(.state-remote, .state-alarm)').first().waitFor()
})
