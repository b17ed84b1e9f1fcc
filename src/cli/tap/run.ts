import { runTaps } from '../../daemon/taps.js'
import { aborted } from '../../kit/deferred.js'
import { Failure } from '../errors/failure.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'

export const tapRun = verb(SessionCommand, {
  summary: 'Run the links of tapped equipment, as the daemon has it done.',
  description:
    'The daemon starts this process when equipment has a tap, and reaches it by a local socket. It goes on while the daemon is restarted, upgraded or has crashed, so that no link is cut. It ends when no equipment has a tap any more, and with all links at SIGTERM. You need this command only to have another program watch the process, such as systemd.',
  examples: ['secsctl tap run'],
  async run(on) {
    const signal = on.environment.interruption.hold()
    const taps = await runTaps(on.session.folders.state, on.clock, on.config.version).catch(
      (error: Error) => {
        if (error.name === 'FolderLocked')
          throw new Failure('state', `the taps of this user run already: ${error.message}`, undefined, error)
        if (error.name === 'TapPathTooLong') throw new Failure('usage', error.message, undefined, error)
        throw error
      },
    )
    on.note(`Taps wait for the daemon at ${taps.path}`)
    await Promise.race([aborted(signal), taps.ended])
    await taps.close()
    on.environment.interruption.settle()
  },
})
