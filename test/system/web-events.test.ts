import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/topics/events.js'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { EventFlood } from './event-flood.js'
import { WebSite } from './web-site.js'

/** `PICTURES=/tmp/x npx vitest run …` writes what the tests look at. */
const PICTURES = process.env['PICTURES']
const SAMPLES = 100
const RATE = 1000
const ALL = '/events?type=connection&type=state&type=alarm&type=message'

let site: WebSite
let flood: EventFlood
let key: string
beforeAll(async () => {
  site = await WebSite.start({ tools: 3, rate: 20 })
  const samples = async () => (await site.list<Event>(`/events?limit=${SAMPLES}`)).items
  await until(async () => (await samples()).length === SAMPLES)
  flood = await EventFlood.before(site.port, await samples())
  const made = await site.call<{ key: string }>('POST', '/keys', {
    name: 'x',
    role: 'viewer',
    expires_at: null,
  })
  key = made.key
})
afterEach(async () => {
  flood.rate = 0
  for (const context of site.browser.contexts()) await context.close()
})
afterAll(async () => {
  flood.close()
  await site.close()
})

const newest = async (page: Page): Promise<number> =>
  Number(await page.locator('.event').first().getAttribute('data-id'))

async function framesPerSecond(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(
    'window.frames = 0; requestAnimationFrame(function next() { frames++; requestAnimationFrame(next) })',
  )
  const began = await page.evaluate<number>('performance.now()')
  await act()
  const [frames, ended] = await page.evaluate<[number, number]>('[frames, performance.now()]')
  return (frames * 1000) / (ended - began)
}

const rows = (page: Page) => page.locator('.event').count()

async function open(options: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(site.browser, options)
  await opened.page.goto(`${flood.url}${ALL}#key=${key}`)
  await opened.page.locator('.event').first().waitFor()
  return opened
}

test('a thousand events a second: few rows are in the document, the newest is shown soon, and memory stays', async () => {
  const { page, errors } = await open({ viewport: { width: 1280, height: 720 } })
  const inside = await page.context().newCDPSession(page)
  const heap = async (): Promise<number> => {
    await inside.send('HeapProfiler.collectGarbage')
    return (await inside.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
  }
  flood.rate = RATE
  const began = Number(flood.last)
  await until(async () => Number(flood.last) > began + 5 * RATE)
  const before = await heap()
  const frames = await framesPerSecond(page, () =>
    until(async () => Number(flood.last) > began + 15 * RATE, 60_000),
  )
  console.log(`${frames.toFixed(1)} frames/s at ${RATE} events/s`)
  // It goes on; `npm run bench:web` measures 50 on a quiet machine, and a busy one has few.
  expect(frames).toBeGreaterThan(2)
  expect(await rows(page)).toBeLessThan(100)
  await until(async () => Number(flood.last) - (await newest(page)) < 3 * RATE)
  expect(await heap()).toBeLessThan(before + 10)
  flood.rate = 0
  await until(async () => (await newest(page)) === Number(flood.last))
  expect(errors).toEqual([])
})

test('the list stands still while the keyboard is in it, and goes on when it leaves', async () => {
  const { page } = await open({ viewport: { width: 1280, height: 720 } })
  flood.rate = 20
  const began = Number(flood.last)
  await until(async () => (await newest(page)) > began)
  const row = () => page.evaluate<string>('document.activeElement.closest(".event")?.dataset.id ?? ""')
  await page.getByRole('button', { name: 'Pause' }).focus()
  await page.keyboard.press('Tab')
  const id = await row()
  expect(id).not.toBe('')
  await page.getByRole('button', { name: /^Continue/ }).waitFor()
  const held = Number(flood.last)
  await until(async () => Number(flood.last) > held + 40)
  expect(await row()).toBe(id)
  expect(await newest(page)).toBeLessThan(held + 1)
  await page.keyboard.press('Tab')
  expect(await row()).toBe(id)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await until(async () => (await newest(page)) > held + 40)
  flood.rate = 0
  await page.context().close()
})

test('the list stands still while one has scrolled down, and an event that was opened stays open', async () => {
  const { page } = await open({ viewport: { width: 1280, height: 720 } })
  // So many that the one that is opened is far away from the end.
  const began = Number(flood.last)
  flood.rate = 100
  await until(async () => (await newest(page)) > began + 300)
  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 1500)
  const resume = page.getByRole('button', { name: /^Continue/ })
  await resume.waitFor()
  const seen = () =>
    page.evaluate<string>(
      '[...document.querySelectorAll(".event")].find((row) => row.getBoundingClientRect().top > 100)?.dataset.id ?? ""',
    )
  await expect.poll(seen).not.toBe('')
  const id = await seen()
  const row = page.locator(`.event[data-id="${id}"]`)
  await row.locator('summary').click()
  const place = (await row.boundingBox())?.y ?? 0
  const held = Number(flood.last)
  await until(async () => Number(flood.last) > held + 300)
  expect((await row.boundingBox())?.y).toBeCloseTo(place, 0)
  expect(await resume.textContent()).toMatch(/\d/)
  // Far away it is not in the document, and it is open when one comes back.
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await until(async () => (await row.count()) === 0)
  await page.evaluate(`scrollTo(0, 1500)`)
  await row.locator('pre').waitFor()
  flood.rate = 0
  await resume.click()
  await until(async () => (await newest(page)) === Number(flood.last))
  await expect.poll(() => page.evaluate('scrollY')).toBe(0)
})

test.each([
  [1280, 720, 'light'],
  [390, 844, 'dark'],
] as const)('events at %d × %d, %s', async (width, height, colorScheme) => {
  const { page, errors } = await open({ viewport: { width, height }, colorScheme })
  flood.rate = 50
  await until(async () => (await rows(page)) >= 8)
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/events-${width}-${colorScheme}.png` })
  expect(errors).toEqual([])
})
