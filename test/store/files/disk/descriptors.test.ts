import { expect, test } from 'vitest'
import { withDescriptor } from '../../../../src/store/files/disk/descriptors.js'
import { ManualClock } from '../../../support/manual-clock.js'

const failure = (code: string): Error => Object.assign(new Error(code), { code })

test.each(['EMFILE', 'ENFILE'])(
  '%s is no failure of the disk: it is tried again until it works',
  async (code) => {
    const clock = new ManualClock()
    let calls = 0
    const opened = withDescriptor(async () => {
      calls++
      if (calls < 100) throw failure(code)
      return 'open'
    }, clock)
    while (calls < 100) {
      await Promise.resolve()
      if (clock.scheduled > 0) clock.advance(50)
    }
    expect(await opened).toBe('open')
  },
)

test.each(['EIO', 'ENOSPC', 'ENOENT'])('%s is told at once', async (code) => {
  await expect(withDescriptor(() => Promise.reject(failure(code)))).rejects.toMatchObject({ code })
})
