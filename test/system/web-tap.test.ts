import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { startForeignHost } from '../foreign/foreign-host.js'
import { freePort } from '../support/free-port.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'
import { axeFindings, openPage, PLACES } from './chromium.js'
import { WebSite } from './web-site.js'

let site: WebSite

beforeAll(async () => {
  site = await WebSite.start({ tools: 0 })
})
afterAll(() => site.close())

async function tapped(name: string): Promise<number> {
  const model = shippedModel('etcher')
  if (!model) throw new Error('the etcher is missing')
  const place = { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100 } as const
  const simulator = new Simulator(model, place, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const port = await freePort()
  const tap = { listen_port: port, host_address: LOOPBACK, pause_seconds: 0 }
  const given = { name, ip_address: LOOPBACK, port: simulator.port, tap }
  const { id } = await site.call<{ id: string }>('POST', '/equipment', given)
  await site.call('POST', `/equipment/${id}/connect?wait=0`)
  // The process of the taps ends with its last link; it would outlive the daemon.
  onTestFinished(() => site.call<void>('POST', `/equipment/${id}/disconnect`))
  return port
}

test.each(PLACES)(
  'tapped equipment, %s, %i wide: its host, its messages, and what clients may not do',
  async (scheme, width, height) => {
    const name = `etcher-${scheme}`
    const port = await tapped(name)
    const { page, errors } = await openPage(site.browser, {
      colorScheme: scheme,
      viewport: { width, height },
    })
    await site.logIn(page, '/')
    const tile = page.locator('.tile', { hasText: name })
    await tile.getByText('host away').waitFor()
    await page.goto(`${site.url}/equipment/${name}`)
    await page.locator('.tap-fact').getByText(`Nobody has dialled port ${port}`).waitFor()
    const checks = page.getByRole('region', { name: 'What passes through the tap' })
    const check = (name: string) => checks.locator('tr', { has: page.locator('th', { hasText: name }) })
    await check('host').getByText(`nobody has dialled port ${port}`).waitFor()
    await check('host').getByText(`secsctl equipment show ${name}`).waitFor()
    expect(await axeFindings(page)).toEqual([])

    const host = await startForeignHost({ port, deviceId: 0 })
    onTestFinished(() => host.stop())
    await until(() => host.received.length > 0)
    await host.establish()
    await page.getByText(`host ${LOOPBACK} connected`).waitFor()
    await check('select').getByText('SELECTED').waitFor()
    await check('definitions').waitFor()
    const button = (text: string) => page.getByRole('button', { name: text, exact: true })
    await button('Remote command').waitFor()
    expect(await button('Remote command').isDisabled()).toBe(true)
    await page.getByText('The setting tap.writes allows it.').waitFor()
    await button('Send a message').click()
    await button('Send').click()
    await page.getByText('S1F2 On Line Data').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await button('Disconnect').click()
    await page.getByText('host and equipment are cut off from each other').waitFor()
    await button('Cancel').click()

    const panel = page.getByRole('region', { name: 'Messages' })
    const titles = () => panel.locator('.event summary b').allTextContents()
    await panel.getByRole('radio', { name: 'Host' }).check()
    await until(async () => (await titles()).length > 0)
    expect((await titles()).every((title) => title.startsWith('Host → Equipment'))).toBe(true)
    await panel.getByRole('radio', { name: 'Gateway' }).check()
    await until(async () => (await titles()).join() === 'Sent · S1F1 Are You There Request')
    await panel.getByRole('button', { name: 'No filter' }).click()
    await panel.getByLabel('Ladder diagram').check()
    await until(async () => (await panel.locator('.ladder line.ladder-side').count()) === 3)
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    expect(errors).toEqual([])
  },
)
