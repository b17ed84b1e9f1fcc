import { HsmsDriver } from '../../hsms/hsms-driver.js'
import type { LinkDriver, LinkWorld } from '../../hsms/link-driver.js'
import { HSMS_DEFAULTS, type HsmsTimers, type LinkSettings } from '../../hsms/settings.js'
import { Secs1Driver } from '../../secs1/secs1-driver.js'
import { serialDial } from '../../secs1/serial/serial-dial.js'
import { byteTimeAt, SECS1_DEFAULTS, type Secs1Timers } from '../../secs1/settings.js'

/** The SECS-I line of a simulated equipment. */
export interface SimulatedLine {
  /** The path of the serial port; left out, the line is TCP. */
  readonly serialPort?: string | undefined
  /** Bits per second of the serial port. */
  readonly baudRate?: number | undefined
  readonly isMaster?: boolean | undefined
  /** RTY. */
  readonly retries?: number | undefined
}

export interface SimulatedLinkOptions
  extends Pick<LinkSettings, 'role' | 'host' | 'port' | 'peer' | 'localAddress'> {
  readonly deviceId?: number
  /** In milliseconds; the standards' typical values for those left out. */
  readonly timers?: Partial<HsmsTimers & Secs1Timers>
  /** SECS-I; left out, the equipment speaks HSMS. */
  readonly line?: SimulatedLine | undefined
}

const DEFAULT_BAUD_RATE = 9600

/** The driver of a simulated equipment's link. */
export function simulatedLink({ line, ...options }: SimulatedLinkOptions, world: LinkWorld): LinkDriver {
  const deviceId = options.deviceId ?? 0
  if (!line)
    return new HsmsDriver(
      { ...HSMS_DEFAULTS, ...options, deviceId, timers: { ...HSMS_DEFAULTS.timers, ...options.timers } },
      world,
    )
  const { serialPort, baudRate = DEFAULT_BAUD_RATE, isMaster = true, retries = SECS1_DEFAULTS.retries } = line
  const timers = { ...SECS1_DEFAULTS.timers, ...options.timers }
  const settings = {
    ...SECS1_DEFAULTS,
    ...options,
    deviceId,
    side: 'equipment',
    isMaster,
    retries,
    timers,
  } as const
  if (serialPort === undefined) return new Secs1Driver(settings, world)
  return new Secs1Driver(
    { ...settings, role: 'active', byteTime: byteTimeAt(baudRate) },
    { ...world, dial: serialDial(serialPort, baudRate) },
  )
}
