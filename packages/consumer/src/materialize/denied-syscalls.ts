/** Syscall numbers, from the kernel headers. */
export interface Architecture {
  audit: number;
  /** First number after the known calls. */
  unknown: number;
  clone: number;
  clone3: number;
  socket: number;
  socketpair: number;
  /** Calls that a hook never needs; they kill the process. */
  denied: readonly number[];
  /** Calls that programs can do without; they return ENOSYS. These are the calls of io_uring. */
  absent: readonly number[];
}

/** Calls that affect other processes or the kernel, such as clocks, modules and mounts, or that create a namespace. */
const DENIED: readonly (readonly [name: string, x64: number, arm64: number])[] = [
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['pidfd_getfd', 438, 438],
  ['kcmp', 312, 272],
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['setns', 308, 268],
  ['unshare', 272, 97],
  ['open_by_handle_at', 304, 265],
  ['name_to_handle_at', 303, 264],
  ['fanotify_init', 300, 262],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['reboot', 169, 142],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['adjtimex', 159, 171],
  ['clock_adjtime', 305, 266],
  ['acct', 163, 89],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['syslog', 103, 116],
  ['vhangup', 153, 58],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
];

/** Calls that exist only on x86_64: `iopl`, `ioperm`, `modify_ldt`. */
const DENIED_ON_X64 = [172, 173, 154];

/** Calls of io_uring, on all architectures: setup, enter, register. */
const IO_URING = [425, 426, 427];

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc0_00_00_3e,
    unknown: 451,
    clone: 56,
    clone3: 435,
    socket: 41,
    socketpair: 53,
    denied: [...DENIED.map(([, x64]) => x64), ...DENIED_ON_X64],
    absent: IO_URING,
  },
  arm64: {
    audit: 0xc0_00_00_b7,
    unknown: 451,
    clone: 220,
    clone3: 435,
    socket: 198,
    socketpair: 199,
    denied: DENIED.map(([, , arm64]) => arm64),
    absent: IO_URING,
  },
};
