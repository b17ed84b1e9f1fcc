import { afterAll, describe, expect, test } from 'vitest'
import { systemdUnit } from '../../../src/cli/daemon/systemd-unit.js'
import { Secsctl } from '../../support/secsctl.js'

const GIVEN = {
  scope: 'user',
  command: ['/usr/bin/node', '/opt/secsctl/bin/run.js'],
  env: {},
  port: 7327,
} as const

describe('a unit', () => {
  test('quotes what systemd would take apart or expand', () => {
    const unit = systemdUnit({
      ...GIVEN,
      command: ['/opt/my node/node', '/srv/100%/$x/run.js', 'a"b\\c'],
      env: { SECSCTL_HOME: '/srv/a b' },
    })
    expect(unit).toContain('ExecStart="/opt/my node/node" /srv/100%%/$$x/run.js "a\\"b\\\\c"\n')
    expect(unit).toContain('Environment="SECSCTL_HOME=/srv/a b"\n')
  })

  test('of the machine can write nowhere but to its state', () => {
    const unit = systemdUnit({ ...GIVEN, scope: 'system' })
    expect(unit).toMatch(/^ProtectSystem=strict$/m)
    expect(unit).toMatch(/^StateDirectory=secsctl$/m)
    expect(unit).toMatch(/^CapabilityBoundingSet=$/m)
    expect(unit).not.toContain('AmbientCapabilities')
  })

  test('has the privilege for a low port, where it needs it', () => {
    expect(systemdUnit({ ...GIVEN, scope: 'system', port: 443 })).toMatch(
      /^AmbientCapabilities=CAP_NET_BIND_SERVICE$/m,
    )
  })
})

describe('daemon install', () => {
  const secsctl = new Secsctl()
  afterAll(() => secsctl.remove())

  test('prints the unit alone, and says what to do with it', async () => {
    const { code, stdout, stderr } = await secsctl.run(['daemon', 'install', '--print', '--port', '7400'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\[Unit\]\n/)
    expect(stdout).toMatch(
      /^ExecStart=\S+ --max-semi-space-size=8 --heap-growing-percent=50 \S+\/bin\/run\.js daemon run .*--port 7400/m,
    )
    expect(stdout).toContain(`Environment=SECSCTL_HOME=${secsctl.home}\n`)
    expect(stdout).toContain('Environment=MALLOC_MMAP_THRESHOLD_=')
    expect(stderr).toContain('systemctl --user enable --now secsctl')
  })

  test('installs nothing', async () => {
    const { code, stdout, stderr } = await secsctl.run(['daemon', 'install'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Try: secsctl daemon install --print')
  })
})
