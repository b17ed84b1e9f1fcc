import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

/** `PICTURES=/tmp/x npx vitest run …` writes what the tests look at. */
const PICTURES = process.env['PICTURES']
const PHONE = { width: 390, height: 844 }

let site: WebSite
let name: string
beforeAll(async () => {
  site = await WebSite.start({ tools: 2, rate: 4 })
  name = (await site.list<{ name: string }>('/equipment')).items[0]?.name ?? ''
  await site.tell('etcher-* alarm 4001 set')
})
afterAll(() => site.close())

const picture = async (page: Page, of: string): Promise<void> => {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${of}.png` })
}
const email = (page: Page) => page.getByLabel('Email', { exact: true })
const submit = (page: Page) => page.getByRole('button', { name: 'Log in' })

test('the login has the focus, and after too many wrong passwords it counts down until one may try again', async () => {
  const { page, errors } = await openPage(site.browser, { viewport: PHONE })
  await page.goto(site.url)
  await email(page).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.name')).toBe('email')
  await page.keyboard.type('nobody@fab.example')
  const timer = page.getByRole('timer')
  for (let attempt = 0; attempt < 8 && (await timer.count()) === 0; attempt++) {
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await submit(page).click()
    await until(
      async () =>
        (await page.locator('.problem').textContent()) !== '' &&
        (await submit(page).isEnabled()) !== (await timer.count()) > 0,
    )
  }
  const left = async (): Promise<number> => {
    const [, minutes = '0', seconds = '0'] = /(?:(\d+):)?(\d+)/.exec((await timer.textContent()) ?? '') ?? []
    return Number(minutes) * 60 + Number(seconds)
  }
  const first = await left()
  expect(first).toBeGreaterThan(5)
  expect(first).toBeLessThanOrEqual(60)
  await until(async () => (await left()) < first)
  expect(await submit(page).isDisabled()).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'login-countdown')
  // Attempts are counted for each email.
  await email(page).fill('somebody@fab.example')
  expect(await timer.count()).toBe(0)
  expect(await submit(page).isEnabled()).toBe(true)
  expect(errors).toEqual([])
})

test.each([
  [1280, 720, 'dark'],
  [390, 844, 'light'],
] as const)(
  'an address that is none shows a page that says so and leads on, at %d × %d, %s',
  async (width, height, colorScheme) => {
    const { page } = await openPage(site.browser, { viewport: { width, height }, colorScheme })
    await site.logIn(page)
    const response = await page.goto(`${site.url}/no-such-page`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByText('/no-such-page').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await picture(page, `unknown-${width}-${colorScheme}`)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Alarms/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()
  },
)

test('on a phone the name of the present page is seen in the navigation, however far it is', async () => {
  const { page } = await openPage(site.browser, { viewport: PHONE, hasTouch: true })
  await site.logIn(page)
  for (const name of ['Alarm rates', 'Wall']) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    const current = page.locator('nav [aria-current]')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    // The number of open alarms comes later, and takes room.
    await page.locator('.nav-count').waitFor()
    await until(async () => {
      const box = await current.boundingBox()
      return box && box.x >= 0 && box.x + box.width <= PHONE.width
    })
  }
  await page.goto(`${site.url}/api`)
  await until(
    async () => ((await page.locator('nav [aria-current]').boundingBox())?.x ?? 999) < PHONE.width - 20,
  )
})

/** What a finger cannot hit well: no 44 px around the middle lead to it. */
const SMALL_TARGETS = `[...document.querySelectorAll('a[href], button, input, select, summary')].filter((target) => {
  if (!target.checkVisibility({ visibilityProperty: true }) || target.closest('p, .skip, details:not([open]) > :not(summary)')) return false
  target.scrollIntoView({ block: 'center' })
  const box = target.getBoundingClientRect()
  if (box.width >= 43.5 && box.height >= 43.5) return false
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const leads = (dx, dy) => {
    const hit = document.elementFromPoint(x + dx, y + dy)
    return hit !== null && (target.contains(hit) || hit.contains(target) && hit.closest('label') !== null || hit.closest('label')?.control === target)
  }
  const isWide = box.width >= 43.5 || (leads(-20, 0) && leads(20, 0))
  const isHigh = box.height >= 43.5 || (leads(0, -20) && leads(0, 20))
  return !(isWide && isHigh)
}).slice(0, 6).map((target) => target.outerHTML.slice(0, 120) + ' ' + JSON.stringify(target.getBoundingClientRect()))`

test.each(['/', '/alarms', '/events', '/shift', '/equipment', '/api', '/no-such-page'])(
  'on a phone every target of %s has 44 px',
  async (path) => {
    const { page } = await openPage(site.browser, { viewport: PHONE, hasTouch: true })
    await site.logIn(page, path === '/equipment' ? `/equipment/${name}` : path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (path === '/equipment') await page.locator('.chart canvas').first().waitFor()
    if (path === '/shift') await page.locator('tr[data-id]').first().waitFor()
    if (path === '/alarms') await page.locator('tbody tr').first().waitFor()
    if (path === '/events') await page.getByRole('button', { name: 'Pause' }).click()
    expect(await page.evaluate<string[]>(SMALL_TARGETS)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    expect(await axeFindings(page)).toEqual([])
    await page.evaluate('scrollTo(0, 0)')
    await picture(page, `phone${path.replace('/', '-')}`)
  },
)

test.each([
  ['/', { equipment: 'state' }],
  // At midnight the alarms of today become none.
  ['/alarms?pareto=week', { alarms: 'alid', 'alarms-week': 'count' }],
  ['/events?type=message', { events: 'sml' }],
  [
    '/equipment',
    { states: 'to', alarms: 'alid', messages: 'sml', traffic: 'count', ChamberPressure: 'value' },
  ],
  ['/api', { api: 'path' }],
] as const)('each list of %s can be saved as a file', async (path, files) => {
  const { page } = await openPage(site.browser)
  await site.logIn(page)
  await page.goto(`${site.url}${path === '/equipment' ? `/equipment/${name}` : path}`)
  for (const [file, column] of Object.entries(files)) {
    const saved = new Map<string, string>()
    await until(async () => {
      for (const button of await page.locator('button.csv:enabled').all()) {
        // The page goes on while they are pressed: a list may become empty.
        const [download] = await Promise.all([
          page.waitForEvent('download', { timeout: 10_000 }).catch(() => undefined),
          button.click({ timeout: 10_000 }).catch(() => undefined),
        ])
        if (!download) continue
        saved.set(download.suggestedFilename(), await readFile(await download.path(), 'utf8'))
      }
      return saved.has(`${file}.csv`)
    })
    const [head = '', ...rows] = (saved.get(`${file}.csv`) ?? '').trim().split('\r\n')
    expect(head.replace('\ufeff', '').split(','), file).toContain(column)
    expect(rows.length, file).toBeGreaterThan(0)
  }
})

test('labels in an address that cannot be read are named on each page with that filter, and all is shown', async () => {
  const { page, errors } = await openPage(site.browser, { viewport: PHONE })
  await site.logIn(page, '/alarms?labels=bay%3D%3D%3D3')
  for (const path of ['/alarms', '/events', '/alarm-rates', '/shift']) {
    await page.goto(`${site.url}${path}?labels=bay%3D%3D%3D3`)
    const alert = page.getByRole('alert').filter({ hasText: 'by "bay===3", which cannot be read' })
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/so all equipment is shown: position 6: expected .+\.$/)
    await page.locator('main').getByText(name).filter({ visible: true }).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await picture(page, `labels${path.replace('/', '-')}`)
    await page.getByRole('button', { name: /bay===3/ }).click()
    await expect.poll(() => alert.count()).toBe(0)
  }
  expect(errors).toEqual([])
})

test('what an acknowledgement did is said for some seconds', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/alarms')
  await page
    .getByRole('button', { name: /^Acknowledge / })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
  const said = page.getByText(/^\d alarms? acknowledged\.$/)
  await said.waitFor()
  await said.waitFor({ state: 'detached' })
})

test('a print has the content, light and without buttons, and all rows of events', async () => {
  const { page } = await openPage(site.browser, {
    viewport: { width: 1280, height: 300 },
    colorScheme: 'dark',
  })
  await site.logIn(page, '/events?type=message')
  await page.locator('.event').nth(8).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  expect(await page.locator('button:visible, .topbar:visible').count()).toBe(0)
  const rows = () => page.locator('.event').count()
  const before = await rows()
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  await until(async () => (await rows()) > before)
  const printed = await rows()
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await until(async () => (await rows()) < printed)
  await page.goto(`${site.url}/equipment/${name}`)
  await page.locator('.chart canvas').first().waitFor()
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.length).toBeGreaterThan(10_000)
  if (PICTURES) {
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${PICTURES}/print.pdf`, pdf)
    await page.screenshot({ path: `${PICTURES}/print.png`, fullPage: true })
  }
})
