/** Topics and commands by what they are for, in the order of `secsctl --help`. */
export const GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'START', names: ['demo', 'daemon', 'login', 'equipment', 'doctor'] },
  {
    title: 'TALK TO EQUIPMENT',
    names: ['send', 'command', 'constants', 'recipes', 'clock', 'terminal'],
  },
  {
    title: 'WHAT EQUIPMENT REPORTS',
    names: ['variables', 'reports', 'alarms', 'traces', 'limits', 'spool'],
  },
  { title: 'WATCH', names: ['top', 'events', 'messages', 'wire'] },
  { title: 'INTEGRATE', names: ['sinks', 'keys', 'api'] },
  { title: 'WITHOUT A GATEWAY', names: ['explain', 'catalogue', 'sml', 'simulator'] },
  { title: 'ADMINISTER', names: ['users', 'audit', 'journal', 'profiles', 'whoami', 'logout', 'completion'] },
]

/** Of commands with many flags: those that `--help` shows; `--help-all` shows all. */
export const FLAGS_FIRST: readonly { readonly of: RegExp; readonly flags: readonly string[] }[] = [
  {
    of: /^daemon /,
    flags: [
      ...[
        'config',
        'host',
        'port',
        'hsms-host',
        'tls-cert',
        'tls-key',
        'keep',
        'keep-size',
        'store',
        'standby',
      ],
      // Of daemon install and daemon check-config alone.
      ...['print', 'system', 'print-sample', 'print-schema'],
    ],
  },
  {
    of: /^sinks /,
    flags: [
      ...['webhook', 'mqtt', 'sparkplug', 'kafka', 'file', 'topic', 'user', 'secret-file'],
      ...['equipment', 'selector', 'type', 'name'],
    ],
  },
  {
    of: /^equipment /,
    flags: [
      ...['name', 'address', 'mode', 'device-id', 'label', 'timer', 'transport', 'serial-port', 'reason'],
      ...['selector', 'all', 'yes', 'dry-run'],
    ],
  },
  {
    of: /^alarms /,
    flags: [
      ...['unacknowledged', 'active', 'equipment', 'selector', 'since', 'text', 'category'],
      ...['limit', 'watch', 'comment', 'all', 'yes', 'dry-run'],
    ],
  },
]
