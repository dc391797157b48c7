#!/usr/bin/perl
# Starts a program that reads untrusted documents, in a sandbox: it gives up the user, the network, the files of others
# and the ability to outlive the service, and then replaces itself with the program. confine.ts writes the command line.
# It exits with status 125 when a restriction listed under `need` cannot be applied.
#
# It is written in Perl because every Debian and Ubuntu has it (perl-base is essential), because Perl starts in four
# milliseconds, where Python takes twenty times as long, and because it can make system calls that no program offers:
# setpriv of Debian 12 supports neither seccomp nor Landlock.
#
#   perl confine.pl KEY=VALUE... -- PROGRAM ARGUMENT...
#
#   arch=x64|arm64       numbers of the system calls
#   parent=PID           the service; exits if this process is no longer the parent
#   uid=NUMBER           user and group that the program runs as; absent: the current ones, which must not be root
#   own=PATH             file or folder, with its content, whose owner becomes that user
#   read=PATH            file or folder that the program may read; a missing one is ignored
#   write=PATH           file or folder that it may also change
#   sockets=PATH         folder in which it may create sockets and remove what its user owns
#   as= cpu= fsize=      limits of address space in bytes, processor seconds (SOFT:HARD) and bytes of a file
#   need=network|files   restrictions without which the program does not start; `network` means no access to it
use strict;
use warnings;

my %limits = (as => 9, cpu => 0, fsize => 1, core => 4);
my %given = (core => [0]);
while (@ARGV) {
    my $word = shift;
    last if $word eq '--';
    my ($key, $value) = split /=/, $word, 2;
    push @{ $given{$key} }, $value;
}
fail('no program is named') if !@ARGV;

# Linux: include/uapi/asm-generic/unistd.h and arch/x86/entry/syscalls/syscall_64.tbl. The numbers of Landlock are the
# same on all architectures.
my %calls = (
    x64 => {
        audit => 0xc000003e, prctl => 157, seccomp => 317, unshare => 272, prlimit => 302,
        setgroups => 116, setresuid => 117, setresgid => 119, socket => 41,
    },
    arm64 => {
        audit => 0xc00000b7, prctl => 167, seccomp => 277, unshare => 97, prlimit => 261,
        setgroups => 159, setresuid => 147, setresgid => 149, socket => 198,
    },
);
my $arch = $given{arch}[0] // '';
my $call = $calls{$arch} // fail("the processor $arch is not known");
my ($create_ruleset, $add_rule, $restrict_self, $io_uring_setup) = (444, 445, 446, 425);
my ($set_death_signal, $no_new_privileges) = (1, 38);

my ($uid) = @{ $given{uid} // [] };
change_owner($_) for @{ $given{own} // [] };
my $network = leave_network();
# The rule set opens its paths, so it is created before the user changes and loses access to some of them.
my $ruleset = make_ruleset();
limit($_) for grep { $given{$_} } keys %limits;
drop_user();
system_call($call->{prctl}, $set_death_signal, 9, 0, 0, 0) == 0 or fail("it would outlive the service: $!");
exit 125 if $given{parent} && getppid() != $given{parent}[0];
system_call($call->{prctl}, $no_new_privileges, 1, 0, 0, 0) == 0 or fail("it could gain privileges: $!");
my %has = (
    files => $ruleset >= 0 && system_call($restrict_self, $ruleset, 0) == 0,
    # Both methods are applied where both work, so that one still protects if the other fails.
    network => refuse_sockets() || $network,
);
$has{$_} or fail("the fence around its $_ cannot be raised here") for @{ $given{need} // [] };
{
    no warnings 'exec';
    exec { $ARGV[0] } @ARGV;
}
# The exit status of a POSIX shell for a program that is not found.
exit 127;

sub fail {
    print STDERR "confine: $_[0]\n";
    exit 125;
}

# `syscall` passes numbers as they are and strings as pointers to their bytes.
sub system_call {
    my ($number, @arguments) = @_;
    return syscall $number, @arguments;
}

# Changes the owner of a path and of all that it contains. Symbolic links are skipped, because they may lead anywhere.
sub change_owner {
    my ($path) = @_;
    return if !defined $uid || -l $path;
    chown $uid, $uid, $path or fail("its folder cannot be handed over: $!");
    return if !-d _;
    opendir my $folder, $path or fail("its folder cannot be read: $!");
    change_owner("$path/$_") for grep { $_ ne '.' && $_ ne '..' } readdir $folder;
}

# Enters a network namespace without interfaces. Users other than root also need a user namespace to create one.
sub leave_network {
    my ($new_net, $new_user) = (0x40000000, 0x10000000);
    return system_call($call->{unshare}, $new_net) == 0 if $> == 0;
    my ($user, $group) = ($>, $) + 0);
    return 0 if system_call($call->{unshare}, $new_user | $new_net) != 0;
    my @maps = (['setgroups', 'deny'], ['uid_map', "$user $user 1"], ['gid_map', "$group $group 1"]);
    for (@maps) {
        open my $file, '>', "/proc/self/$_->[0]" or fail("the user cannot be kept: $!");
        print $file $_->[1];
        close $file or fail("the user cannot be kept: $!");
    }
    return 1;
}

sub limit {
    my ($name) = @_;
    my ($soft, $hard) = split /:/, $given{$name}[0];
    my $pair = pack 'QQ', $soft, $hard // $soft;
    system_call($call->{prlimit}, 0, $limits{$name}, $pair, 0) == 0 or fail("its $name cannot be limited: $!");
}

sub drop_user {
    if (defined $uid) {
        my $id = $uid + 0;
        my $done = system_call($call->{setgroups}, 0, 0) == 0
            && system_call($call->{setresgid}, $id, $id, $id) == 0
            && system_call($call->{setresuid}, $id, $id, $id) == 0;
        fail("the user cannot be changed: $!") if !$done;
    }
    # Verify the result with the system: the user must not be root and must not be able to become root again.
    fail('it would run as root') if $< == 0 || $> == 0 || system_call($call->{setresuid}, -1, 0, -1) == 0;
}

# Creates a Landlock rule set that allows only the given paths. From version 6 on it also forbids signals to processes
# outside and connections to their abstract sockets. Returns a file descriptor, or -1 if the kernel has no Landlock.
sub make_ruleset {
    my $version = system_call($create_ruleset, 0, 0, 1);
    return -1 if $version < 1;
    my ($execute, $write_file, $read_file, $read_dir) = map { 1 << $_ } 0 .. 3;
    my ($remove_file, $make_socket, $truncate, $ioctl) = map { 1 << $_ } (5, 9, 14, 15);
    my $all = (1 << 13) - 1;
    $all |= 1 << 13 if $version >= 2;
    $all |= $truncate if $version >= 3;
    $all |= $ioctl if $version >= 5;
    my $read = $execute | $read_file | $read_dir;
    my $of_files = $execute | $write_file | $read_file | $truncate | $ioctl;
    # struct landlock_ruleset_attr: file system, network, scopes.
    my @fields = ($all, $version >= 6 ? (0, 3) : ());
    my $attributes = pack 'Q*', @fields;
    my $fd = system_call($create_ruleset, $attributes, length $attributes, 0);
    return -1 if $fd < 0;
    for my $access ([read => $read], [write => $all], [sockets => $make_socket | $remove_file]) {
        my ($key, $rights) = @$access;
        for my $path (@{ $given{$key} // [] }) {
            my ($path_only, $close_on_exec) = (0x200000, 0x80000);
            sysopen my $handle, $path, $path_only | $close_on_exec or next;
            my $allowed = -d $path ? $rights : $rights & $of_files;
            # struct landlock_path_beneath_attr, packed.
            my $rule = pack 'Ql', $allowed & $all, fileno $handle;
            system_call($add_rule, $fd, 1, $rule, 0) == 0 or fail("$path cannot be shown to it: $!");
        }
    }
    return $fd;
}

# Installs a seccomp filter that allows no sockets except AF_UNIX. It also rejects io_uring, which can open sockets, and
# system calls of other ABIs of the same processor (32 bits, x32), which have other numbers.
sub refuse_sockets {
    my ($allow, $unknown_call, $unknown_family) = (0x7fff0000, 0x00050026, 0x00050061);
    my ($load, $equal, $at_least, $return) = (0x20, 0x15, 0x35, 0x06);
    my ($unix, $set_filter, $speculate) = (1, 1, 4);
    my @filter = (
        [$load, 0, 0, 4],
        [$equal, 1, 0, $call->{audit}],
        [$return, 0, 0, $unknown_call],
        [$load, 0, 0, 0],
        # Rejects system calls of the x32 ABI, which exist on x64 only.
        [$at_least, 0, 1, 0x40000000],
        [$return, 0, 0, $unknown_call],
        [$equal, 0, 1, $io_uring_setup],
        [$return, 0, 0, $unknown_call],
        [$equal, 0, 3, $call->{socket}],
        [$load, 0, 0, 16],
        [$equal, 1, 0, $unix],
        [$return, 0, 0, $unknown_family],
        [$return, 0, 0, $allow],
    );
    my $code = join '', map { pack 'SCCL', @$_ } @filter;
    my $program = pack 'S x6 P', scalar @filter, $code;
    # SECCOMP_FILTER_FLAG_SPEC_ALLOW keeps speculative execution on. Turning it off protects against untrusted code in
    # the same process, but these programs only read untrusted documents.
    return system_call($call->{seccomp}, $set_filter, $speculate, $program) == 0;
}
