import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

/** `PICTURES=/tmp/x` writes what somebody looks at. */
const PICTURES = process.env['PICTURES']
let site: WebSite
let id = ''

beforeAll(async () => {
  site = await WebSite.start({ tools: 1, rate: 2 })
  const [first] = (await site.list<{ id: string }>('/equipment')).items
  id = first?.id ?? ''
  // The equipment knows no stream 99.
  await site.call('POST', `/equipment/${id}/messages`, { sml: 'S99F1 W.' }).catch(() => undefined)
})
afterAll(() => site.close())

test('messages by name, direction, time and errors, from the address, with their SML', async () => {
  const { page, errors } = await openPage(site.browser)
  await site.logIn(page, `/equipment/${id}`)
  const panel = page.getByRole('region', { name: 'Messages' })
  const rows = panel.locator('.event')
  await rows.nth(3).waitFor()
  await panel.getByLabel('Message', { exact: true }).fill('S6F11')
  await page.keyboard.press('Enter')
  await panel.getByRole('status').waitFor()
  const titles = async () => rows.locator('summary b').allTextContents()
  await until(async () => {
    const found = await titles()
    return found.length > 0 && found.every((title) => title.includes('S6F11'))
  })
  // What comes is added.
  const before = await rows.count()
  await until(async () => (await rows.count()) > before)
  // An event and its message are one link.
  const link = await rows.first().locator('.event-id').getAttribute('href')
  expect(new URL(page.url()).searchParams.get('message')).toBe('S6F11')

  await panel.getByRole('radio', { name: 'Sent' }).check()
  await panel.getByText('No message matches.').waitFor()
  await panel.getByRole('button', { name: 'No filter' }).click()
  await panel.getByLabel('Only errors').check()
  await until(async () => {
    const found = await titles()
    return found.length === 1 && found.join().includes('S99F1')
  })
  await panel.getByLabel('Show SML').check()
  await rows.first().getByText('S99F1 W').waitFor()
  await page.reload()
  await rows.first().getByText('S99F1 W').waitFor()
  expect(new URL(page.url()).search).toBe('?errors=1&sml=1')
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'CSV' }).click(),
  ])
  expect(
    readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n'),
  ).toHaveLength(2)

  await panel.getByLabel('Message', { exact: true }).fill('hello <img>')
  await page.keyboard.press('Enter')
  await panel.getByText('"hello <img>" is no message').waitFor()
  await page.goto(`${site.url}/equipment/${id}?before=2020-01-01T00:00Z`)
  await panel.getByText('No message matches.').waitFor()
  await page.goto(`${site.url}${link}`)
  await page.locator('.event details[open]', { hasText: 'S6F11' }).first().waitFor()
  expect(errors).toEqual([])
})

test.each([
  ['light', 1280, 720],
  ['dark', 390, 844],
] as const)('messages with filters in %s at %i × %i', async (colorScheme, width, height) => {
  const { page } = await openPage(site.browser, { colorScheme, viewport: { width, height } })
  await site.logIn(page, `/equipment/${id}?message=S6&direction=received&after=2026-01-01T00:00Z&sml=1`)
  const panel = page.getByRole('region', { name: 'Messages' })
  await panel.locator('.event pre').first().waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  if (PICTURES) await panel.screenshot({ path: `${PICTURES}/messages-${colorScheme}-${width}.png` })
})

test('the messages are drawn as a ladder diagram, whose arrows lead to them', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, errors } = await openPage(site.browser)
    await page.emulateMedia({ colorScheme })
    await site.logIn(page, `/equipment/${id}?ladder=1`)
    const diagram = page.getByRole('region', { name: 'Ladder diagram' }).locator('svg')
    await diagram.locator('a').nth(3).waitFor()
    expect(await diagram.locator('text').allTextContents()).toEqual(expect.arrayContaining(['host']))
    expect(await page.evaluate("getComputedStyle(document.querySelector('.ladder path')).stroke")).toMatch(
      /^rgb/,
    )
    expect(await axeFindings(page)).toEqual([])
    if (PICTURES) await diagram.screenshot({ path: `${PICTURES}/ladder-${colorScheme}.png` })
    const link = diagram.locator('a').first()
    const address = await link.getAttribute('href')
    await link.dispatchEvent('click')
    await page.waitForURL(`**${address}`)
    expect(errors).toEqual([])
  }
})
