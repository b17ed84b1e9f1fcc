/** Topics and commands by what they are for, in the order of `secsctl --help`. */
export const GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'START', names: ['demo', 'daemon', 'login', 'equipment', 'doctor'] },
  {
    title: 'TALK TO EQUIPMENT',
    names: ['send', 'command', 'constants', 'recipes', 'clock', 'terminal', 'scenario'],
  },
  {
    title: '300 MM EQUIPMENT',
    names: [
      'run',
      'jobs',
      'control-jobs',
      'carriers',
      'ports',
      'substrates',
      'performance',
      'objects',
      'gem300',
    ],
  },
  {
    title: 'WHAT EQUIPMENT REPORTS',
    names: ['variables', 'reports', 'alarms', 'traces', 'limits', 'spool'],
  },
  { title: 'WATCH', names: ['top', 'events', 'messages', 'wire'] },
  { title: 'INTEGRATE', names: ['sinks', 'keys', 'api'] },
  { title: 'WITHOUT A GATEWAY', names: ['conform', 'explain', 'catalogue', 'sml', 'simulator'] },
  {
    title: 'ADMINISTER',
    names: ['users', 'audit', 'journal', 'tap', 'profiles', 'whoami', 'logout', 'completion'],
  },
]
