import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: 1 })
})
afterAll(() => site.close())

test('an operation is found, read, tried with the token of the session, and with another one', async () => {
  const { page, errors, origins } = await openPage(site.browser)
  await site.logIn(page, '/api')
  await page.getByLabel('Search the API').fill('list equipment')
  await page.locator('#listEquipment > summary').click()
  const form = page.getByRole('form', { name: 'Try listEquipment' })
  await form.getByLabel('limit').fill('5')
  expect(await form.locator('.curl pre').textContent()).toContain(`${site.url}/api/v1/equipment?limit=5`)
  await form.getByRole('button', { name: 'Send GET' }).click()
  await form.getByText(/^200/).waitFor()
  expect(await form.getByLabel('Response', { exact: true }).inputValue()).toContain('"etcher')
  expect(await axeFindings(page)).toEqual([])

  await form.getByLabel('Token').fill('not-a-token')
  await form.getByRole('button', { name: 'Send GET' }).click()
  await form.getByText(/^401/).waitFor()
  // The session is not that of the other token.
  await page.getByRole('button', { name: 'Log out' }).waitFor()

  expect(errors).toEqual([])
  expect([...origins]).toEqual([site.url])
})

test('the API can be read before a login, and a browser that asks for the document is led there', async () => {
  const { page, errors } = await openPage(site.browser)
  await page.goto(`${site.url}/api/docs`)
  await page.getByLabel('Search the API').fill('list equipment')
  await page.locator('#listEquipment > summary').waitFor()
  expect(page.url()).toContain('/api?')
  expect(await axeFindings(page)).toEqual([])
  expect(errors).toEqual([])
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
})

/** The operation of a link can be read from its first line on. */
async function isBelowBar(page: Page, id: string): Promise<boolean> {
  await page.locator(`#${id}`).waitFor()
  await page.waitForTimeout(500)
  const bar = await page.locator('.topbar').boundingBox()
  const operation = await page.locator(`#${id}`).boundingBox()
  return (operation?.y ?? 0) >= (bar?.height ?? Number.POSITIVE_INFINITY)
}

test('a call that changes something is sent when its user says so', async () => {
  const { page } = await openPage(site.browser, {
    colorScheme: 'dark',
    viewport: { width: 320, height: 700 },
  })
  await site.logIn(page, '/api?operation=createEquipment')
  const form = page.getByRole('form', { name: 'Try createEquipment' })
  expect(await isBelowBar(page, 'createEquipment')).toBe(true)
  await form
    .getByLabel('Body')
    .fill('{"name":"coater","ip_address":"127.0.0.1","port":5999,"mode":"passive"}')
  const send = form.getByRole('button', { name: 'Send POST' })
  await send.click()
  const names = async () => (await site.list<{ name: string }>('/equipment')).items.map(({ name }) => name)
  await page.waitForTimeout(500)
  expect(await names()).not.toContain('coater')
  await form.getByLabel('This call changes something').check()
  await send.click()
  await form.getByText(/^201/).waitFor()
  expect(await names()).toContain('coater')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await axeFindings(page)).toEqual([])
})

test('a stream is shown as it comes, until it is stopped', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/api?operation=streamEvents')
  const form = page.getByRole('form', { name: 'Try streamEvents' })
  expect(await isBelowBar(page, 'streamEvents')).toBe(true)
  await form.getByLabel('after', { exact: true }).fill('0')
  await form.getByRole('button', { name: 'Send GET' }).click()
  await expect
    .poll(() => form.getByLabel('Response', { exact: true }).inputValue())
    .toContain('event: connection')
  await form.getByRole('button', { name: 'Stop' }).click()
  await form.getByRole('button', { name: 'Send GET' }).isEnabled()
})
