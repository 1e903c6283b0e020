// What a jailed command must not be able to do. `$O` is a folder beside the root, with a file `secret`.

/** For the commands below that need system calls which the shell does not have. */
export const PRELUDE = `import ctypes, os, signal, socket, resource, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
HOST, O = int(os.environ['HOST']), os.environ['O']
def call(*arguments):
  answer = libc.syscall(*arguments)
  if answer == -1:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))
  return answer
`;

const SHELL = {
  "write outside": [
    "echo x > $O/new",
    "echo x >> $O/secret",
    ": > $O/secret",
    "echo x > link",
    "echo x > folder/new",
    "echo x > ../outside/new",
    "cd ../outside && echo x > new",
    "rm -f $O/secret",
    "rm -rf $O",
    "mkdir $O/new",
    "mkfifo $O/new",
    "mv $O/secret here",
    "touch b && mv b $O/new",
    "truncate -s 0 $O/secret",
    "dd if=/dev/zero of=$O/secret count=1",
    "cp /bin/true $O/new",
    "chmod 777 $O/secret",
    "chmod 777 link",
    "chmod 777 ..",
    "chown 1 $O/secret",
    "touch -d 2001-01-01 $O/secret",
    "echo x > /tmp/deepfs-jail-escape",
    "echo x > /var/tmp/deepfs-jail-escape",
    "echo x > /dev/shm/deepfs-jail-escape",
    "echo x > /etc/deepfs-jail-escape",
    "echo x > /root/deepfs-jail-escape",
    "echo 1 > /proc/sys/kernel/core_pattern",
    "echo x > /sys/power/state",
    "sh -c 'echo x > $O/new'",
    "find . -maxdepth 0 -fprint $O/new",
  ],
  "read outside": [
    "cat $O/secret",
    "cat link",
    "cat folder/secret",
    "cat ../outside/secret",
    "cd .. && cat outside/secret",
    "cp $O/secret here",
    "ls $O",
    "ls ..",
    "ls /root",
    "cat /root/.bashrc",
    "ls /home",
    "ls /tmp",
    "ls /var/lib",
    "cat /etc/shadow",
    "ls /etc",
    "tar cf x.tar $O/secret",
    "dd if=$O/secret",
    "grep -r secret $O",
    ". $O/secret",
  ],
  links: [
    "ln $O/secret here && cat here",
    "touch c && ln c $O/new",
    "ln -s x $O/new",
    "ln -sfn $O over && cat over/secret",
    "ln -s /root over2 && ls over2/",
    "mkdir -p deep && cd deep && ln -s ../../outside up && cat up/secret",
    "ln -P link hard && cat hard",
  ],
  "the host's processes": [
    "kill -9 $PPID",
    "kill -0 $HOST",
    "kill -STOP $HOST",
    "kill -9 1",
    "cat /proc/$HOST/environ",
    "cat /proc/$HOST/cmdline",
    "ls /proc/$HOST/fd",
    "cat /proc/$HOST/root$O/secret",
    "cat /proc/$HOST/cwd/package.json",
    "cat /proc/self/root$O/secret",
    "cat /proc/1/environ",
    "ls /proc",
    "renice -n 19 -p $HOST",
  ],
  "gaining rights": [
    "unshare -Ur true",
    "unshare -m true",
    "unshare -n true",
    "mount -t tmpfs none .",
    "mount --bind $O .",
    "/usr/sbin/chroot . /bin/true",
    "mknod device c 1 3",
  ],
};

const PYTHON = {
  "the network": [
    "socket.create_connection(('127.0.0.1', int(os.environ['PORT'])))",
    "socket.socket(socket.AF_INET6)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "socket.socket(socket.AF_UNIX).connect(os.environ['UNIX'])",
    "socket.socket(socket.AF_UNIX).bind('own-socket')",
    "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    "socket.getaddrinfo('localhost', 80) and socket.create_connection(('localhost', int(os.environ['PORT'])))",
  ],
  "the host's processes": [
    "os.kill(HOST, 9)",
    "os.kill(-os.getpgid(HOST), 9)",
    "call(424, os.pidfd_open(HOST), 9, None, 0)",
    "call(101, 16, HOST, None, None)",
    "call(310, HOST, None, 0, None, 0, 0)",
    "call(438, os.pidfd_open(HOST), 0, 0)",
    "resource.prlimit(HOST, resource.RLIMIT_CPU, (1, 1))",
    "os.sched_setaffinity(HOST, {0})",
    "open('/proc/%d/mem' % HOST)",
    "os.setpriority(os.PRIO_PROCESS, HOST, 19)",
  ],
  "gaining rights": [
    "call(272, 0x10000000)",
    "call(272, 0x00020000)",
    "call(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "call(161, b'/')",
    "call(165, b'none', b'.', b'tmpfs', 0, None)",
    "call(428, -100, b'/', 1)",
    "call(304, 3, None, 0)",
    "call(321, 0, None, 0)",
    "call(425, 8, ctypes.create_string_buffer(256))",
    "call(323, 0)",
    "call(250, 0, 0, 0, 0, 0)",
  ],
  "write outside": [
    "os.chmod('secret', 0o777, dir_fd=os.open(O, os.O_PATH))",
    "os.truncate(O + '/secret', 0)",
    "os.rename(O + '/secret', 'here')",
    "os.symlink('x', O + '/new')",
    "os.utime(O + '/secret', (1, 1))",
    "os.setxattr(O + '/secret', 'user.x', b'y')",
    "os.open('new', os.O_CREAT | os.O_WRONLY, dir_fd=os.open(O, os.O_PATH))",
  ],
};

/** System calls by number are those of x86-64. */
const hasNumbers = (body) => process.arch === "x64" || !body.startsWith("call(");

/** Every command, with what it is about. */
export function forbidden() {
  const shell = Object.entries(SHELL).flatMap(([about, commands]) =>
    commands.map((command) => ({ about, command, python: false })),
  );
  const python = Object.entries(PYTHON).flatMap(([about, bodies]) =>
    bodies
      .filter(hasNumbers)
      .map((body) => ({ about, command: `/usr/bin/python3 -c "from prelude import *\n${body}"`, python: true })),
  );
  return [...shell, ...python];
}
