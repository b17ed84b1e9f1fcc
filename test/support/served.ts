import { afterAll, afterEach, beforeAll } from 'vitest'
import type { FakeGateway } from './fake-gateway.js'
import type { Secsctl } from './secsctl.js'

/**
 * Serves a gateway to the tests of a file, and forgets the calls of each. The environment of commands that ask it, once
 * the tests run.
 */
export function served(gateway: FakeGateway, secsctl?: Secsctl): Readonly<Record<string, string>> {
  beforeAll(() => gateway.listen())
  afterEach(() => void gateway.calls.splice(0))
  afterAll(async () => {
    await gateway.close()
    secsctl?.remove()
  })
  return {
    get SECSCTL_URL() {
      return gateway.url
    },
    SECSCTL_TOKEN: 'secret',
  }
}
