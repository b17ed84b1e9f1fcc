import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

/** `PICTURES=/tmp/x npx vitest run …` writes what the tests look at. */
const PICTURES = process.env['PICTURES']

let site: WebSite
let name: string
beforeAll(async () => {
  site = await WebSite.start({ tools: 1, rate: 4 })
  name = (await site.list<{ name: string }>('/equipment')).items[0]?.name ?? ''
})
afterAll(() => site.close())

const spanOf = (page: Page): readonly (string | null)[] => {
  const { searchParams } = new URL(page.url())
  return [searchParams.get('from'), searchParams.get('to')]
}
const readers = (page: Page) => page.getByRole('slider')
const textOf = (page: Page, at: number) => readers(page).nth(at).getAttribute('aria-valuetext')

async function open(options: Parameters<typeof openPage>[1], query = '') {
  const opened = await openPage(site.browser, options)
  await site.logIn(opened.page, `/equipment/${name}?hours=1${query}`)
  await until(async () => (await opened.page.locator('.chart canvas').count()) >= 1)
  return opened
}

test('the pointer and the arrow keys read value, time and marks in all charts, and zoom is shared and in the address', async () => {
  const { page, errors } = await open({})
  await until(async () => (await page.locator('.chart canvas').count()) === 2)
  await site.tell('etcher-* alarm 4001 set')
  // Its row moves the charts down.
  await page.getByText('Chamber pressure high').first().waitFor()

  // The pointer: both charts show the same time.
  await readers(page).first().scrollIntoViewIfNeeded()
  /** The pointer at a share of the width of the first chart, which an alarm that comes or goes moves. */
  const point = async (share: number): Promise<void> => {
    const box = await page.locator('.chart .u-over').first().boundingBox()
    if (!box) throw new Error('there is no chart')
    await page.mouse.move(box.x + share * (box.width - 3), box.y + box.height / 2, { steps: 4 })
  }
  await until(async () => {
    await point(1)
    const texts = (name: string) => page.locator(name).allTextContents()
    const [times, values] = [await texts('.chart-tip span:first-of-type'), await texts('.chart-tip b')]
    const isSame = times.length === 2 && new Set(times).size === 1
    return isSame && /\d/.test(values[0] ?? '') && (await page.locator('.lane-pointer').count()) === 3
  })

  // Selecting a part zooms all charts and the lanes.
  await until(async () => {
    await point(0.5)
    await page.mouse.down()
    await point(1)
    await page.mouse.up()
    return spanOf(page).every(Boolean)
  })
  const ends = () =>
    readers(page).evaluateAll((all) => all.map((one) => (one as { ariaValueMax?: string }).ariaValueMax))
  await until(async () => {
    const all = new Set(await ends())
    return all.size === 1 && all.has(String(Math.ceil(Date.parse(spanOf(page)[1] ?? '') / 1000)))
  })
  await page.mouse.move(5, 5)
  await expect.poll(() => page.locator('.chart-tip').count()).toBe(0)

  // The keyboard: from value to value, from mark to mark, and zoom.
  await readers(page).first().focus()
  await page.keyboard.press('Escape')
  await until(async () => !spanOf(page).some(Boolean))
  // A page that was opened at once has one value until it reads again. The caption ends with their number.
  const caption = page.locator('.chart figcaption .muted').first()
  await until(async () => Number(/(\d+)\D*$/.exec((await caption.textContent()) ?? '')?.[1]) >= 2)
  await page.keyboard.press('End')
  await page.locator('.chart-tip').first().waitFor()
  const last = await textOf(page, 0)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => textOf(page, 0)).not.toBe(last)
  // The alarm that was set is a mark.
  await until(async () => {
    await page.keyboard.press('End')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageUp')
    return /\d\d \S/.test((await textOf(page, 0))?.split(', ').at(-1) ?? '')
  })
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/charts-marks.png`, fullPage: true })
  await page.keyboard.press('+')
  await until(async () => spanOf(page).every(Boolean))
  expect(await axeFindings(page)).toEqual([])
  expect(errors).toEqual([])
})

test('a chart without new values moves on with the others', async () => {
  const { page } = await open({})
  await page.getByRole('checkbox', { name: 'ControlState' }).check()
  await until(async () => (await page.locator('.chart canvas').count()) === 3)
  const ends = () =>
    readers(page).evaluateAll((all) => all.map((one) => Number(one.getAttribute('aria-valuemax'))))
  let [before = 0] = await ends()
  for (let times = 0; times < 3; times++) {
    await until(async () => ((await ends())[0] ?? 0) >= before + 2)
    const now = await ends()
    expect(new Set(now).size).toBe(1)
    before = now[0] ?? 0
  }
  expect(Math.abs(before - Date.now() / 1000)).toBeLessThan(30)
})

test('the reader of a chart keeps the focus through a gap in the stream, and a chart follows the colours of the system', async () => {
  const { page } = await openPage(site.browser, { colorScheme: 'light' })
  // The gateway does not continue a stream: every connection is a new one.
  await page.route('**/events/stream*', (route) => {
    const url = new URL(route.request().url())
    if (!url.searchParams.has('after')) return route.continue()
    const problem = { status: 410, code: 'cursor_expired', title: 'gone' }
    return route.fulfill({ status: 410, contentType: 'application/problem+json', json: problem })
  })
  await site.logIn(page, `/equipment/${name}?hours=1`)
  const reader = readers(page).first()
  await reader.focus()
  await page.keyboard.press('End')
  await page.evaluate("document.activeElement.dataset.mark = 'same'")
  const drawn = () =>
    page.evaluate<string>("document.querySelector('.chart canvas').toDataURL().slice(-4000)")
  const before = await drawn()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(drawn).not.toBe(before)
  const lost = page.getByText('Reconnecting', { exact: true })
  await Promise.all([lost.waitFor(), site.stopDaemon().then(() => site.startDaemon())])
  await page.getByText('Live', { exact: true }).waitFor()
  await page.waitForResponse(/variables\/history/)
  await page.waitForResponse(/variables\/history/)
  expect(await page.evaluate('document.activeElement.dataset.mark')).toBe('same')
  // Zooming into another time reads its values, too.
  await page.keyboard.press('+')
  await until(async () => spanOf(page).every(Boolean))
  await page.getByRole('button', { name: 'Earlier: Values' }).waitFor()
  expect(await page.evaluate('document.activeElement.dataset.mark')).toBe('same')
})

test('a link shows the same variables and the same time', async () => {
  const { page } = await open({})
  const boxes = page.getByRole('group', { name: 'Variables that are shown' }).getByRole('checkbox')
  await boxes.first().uncheck()
  await expect.poll(() => page.locator('.chart').count()).toBe(1)
  await page.getByRole('button', { name: 'Zoom in: Values' }).click()
  await page.getByRole('button', { name: 'Earlier: Values' }).click()
  const [address, caption] = [page.url(), await page.locator('.chart figcaption b').textContent()]
  const { page: other } = await open({}, new URL(address).search.replace('?hours=1', ''))
  await until(async () => (await other.locator('.chart figcaption b').textContent()) === caption)
  expect(other.url()).toBe(address)
  const limits = (from: Page) =>
    readers(from).evaluateAll((all) =>
      all.map((one) => `${one.getAttribute('aria-valuemin')} ${one.getAttribute('aria-valuemax')}`),
    )
  expect(await limits(other)).toEqual(await limits(page))
  // Without a variable there is no chart, and the button for the whole time leads back.
  await other.getByRole('button', { name: 'Whole time: Values' }).click()
  await until(async () => !spanOf(other).some(Boolean))
  await boxes.first().waitFor()
})

test('a time before the equipment, a time of the future and texts that are none show a page without errors', async () => {
  for (const range of [
    'from=x&to=y',
    'from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z',
    'from=2999-01-01&to=2999-01-02',
  ]) {
    const { page, errors } = await openPage(site.browser)
    await site.logIn(page, `/equipment/${name}?var=NoSuchVariable&${range}`)
    await page.getByText('NoSuchVariable').first().waitFor()
    await page.getByRole('button', { name: 'Whole time: Values' }).waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  }
})

test('many cleared alarms do not push the charts away', async () => {
  const { page } = await open({ viewport: { width: 390, height: 844 } })
  const alarms = [4001, 4002, 4003, 4004]
  await site.tell(...alarms.map((alid) => `etcher-* alarm ${alid} set`))
  await site.tell(...alarms.map((alid) => `etcher-* alarm ${alid} clear`))
  await until(async () => (await page.locator('.bounded tbody tr').count()) >= alarms.length)
  const list = page.locator('.bounded')
  const { shown, all } = await list.evaluate((one) => {
    const { clientHeight, scrollHeight } = one as unknown as { clientHeight: number; scrollHeight: number }
    return { shown: clientHeight, all: scrollHeight }
  })
  expect(shown).toBeLessThanOrEqual(400)
  expect(all).toBeGreaterThan(shown)
})

test.each([
  [1280, 720, 'light'],
  [1280, 720, 'dark'],
  [390, 844, 'light'],
  [390, 844, 'dark'],
] as const)('charts at %d × %d, %s', async (width, height, colorScheme) => {
  const { page, errors } = await open({ viewport: { width, height }, colorScheme })
  await readers(page).first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.locator('.chart-tip').first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect(await axeFindings(page)).toEqual([])
  if (PICTURES)
    await page.screenshot({ path: `${PICTURES}/charts-${width}-${colorScheme}.png`, fullPage: true })
  expect(errors).toEqual([])
})
