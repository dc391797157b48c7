#!/usr/bin/perl
# Starts programs for the service, which is much larger than this process: a fork copies the page tables of the process that
# calls it, and that takes 5 to 60 milliseconds of a service of 500 MB, in which it serves nobody. starter.ts writes the
# requests and reads the answers. This process ends with the service, when its standard input ends, and the programs end with
# it, because `confine.pl` has the kernel kill them.
#
#   perl starter.pl SERVICE-PID
#
# A request is its length (32 bits, little endian) and texts that each end with a zero byte: its number, the working folder,
# the number of variables, the variables (NAME=VALUE), and the command line. `parent=SERVICE-PID` in the command line becomes
# the number of this process, whose child the program is.
#
# An answer is a letter, the number of the request, a length (both 32 bits) and a payload of that length:
#   S  the program has started: its process number      X  it has ended: its status, as wait(2) returns it
#   O  bytes of its standard output                     C  both of its outputs have ended, too: nothing
#   E  bytes of its standard error                      F  it could not be started: the reason
use strict;
use warnings;
use POSIX ();

my ($service) = @ARGV;
my ($requests, %outputs, %programs) = ('');
my ($stdin, $chunk_bytes) = (fileno(STDIN), 65_536);
# `select` sees the end of a program by a file descriptor (pidfd_open, Linux 5.3, the same number on all processors).
my ($pidfd_open, $look_seconds) = (434, 0.05);
$SIG{PIPE} = 'IGNORE';

while (1) {
    my $watched = '';
    vec($watched, $_, 1) = 1 for $stdin, keys %outputs, map { $_->{pidfd} // () } values %programs;
    my $is_blind = grep { !$_->{ended} && !defined $_->{pidfd} } values %programs;
    my $ready = $watched;
    my $ready_count = select $ready, undef, undef, $is_blind ? $look_seconds : undef;
    next if $ready_count < 0;
    for my $fd (grep { vec($ready, $_, 1) } keys %outputs) { relay($fd) }
    reap();
    take_requests() if vec($ready, $stdin, 1);
}

# The kernel kills programs with this process, but not what they have started in their groups.
sub end {
    kill 'KILL', map { -$_ } keys %programs;
    exit 0;
}

sub answer {
    my ($letter, $number, $payload) = @_;
    my $frame = pack('a L< L<', $letter, $number, length $payload) . $payload;
    while (length $frame) {
        my $written = syswrite STDOUT, $frame;
        end() if !defined $written && !$!{EINTR};
        substr $frame, 0, $written // 0, '';
    }
}

sub take_requests {
    my $count = sysread STDIN, $requests, $chunk_bytes, length $requests;
    return if !defined $count && $!{EINTR};
    end() if !$count;
    while (length $requests >= 4) {
        my $length = unpack 'L<', $requests;
        last if length $requests < 4 + $length;
        my @texts = split /\0/, substr($requests, 4, $length), -1;
        pop @texts;
        substr $requests, 0, 4 + $length, '';
        start(@texts);
    }
}

sub start {
    my ($number, $folder, $count, @rest) = @_;
    my @variables = splice @rest, 0, $count;
    my ($out, $out_end, $err, $err_end);
    pipe $out, $out_end and pipe $err, $err_end or return answer('F', $number, "$!");
    # Read before the fork: where this process dies after it, confine.pl must see another parent.
    my $parent = $$;
    my $pid = fork;
    return answer('F', $number, "$!") if !defined $pid;
    if ($pid == 0) {
        setpgrp 0, 0;
        $SIG{PIPE} = 'DEFAULT';
        POSIX::dup2(fileno $out_end, 1);
        POSIX::dup2(fileno $err_end, 2);
        open STDIN, '<', '/dev/null' or POSIX::_exit(127);
        chdir $folder or POSIX::_exit(127);
        %ENV = map { split /=/, $_, 2 } @variables;
        $_ eq "parent=$service" and $_ = "parent=$parent" for @rest;
        no warnings 'exec';
        exec { $rest[0] } @rest;
        POSIX::_exit(127);
    }
    # Both make it the leader of a group, so that it is one before the service hears of it: one signal ends it and its children.
    setpgrp $pid, $pid;
    close $_ for $out_end, $err_end;
    my $pidfd = syscall $pidfd_open, $pid + 0, 0;
    my $program = $programs{$pid} =
        { number => $number, open => 2, ended => 0, $pidfd >= 0 ? (pidfd => $pidfd) : () };
    $outputs{ fileno $out } = { handle => $out, letter => 'O', program => $program, pid => $pid };
    $outputs{ fileno $err } = { handle => $err, letter => 'E', program => $program, pid => $pid };
    answer('S', $number, pack 'L<', $pid);
}

sub relay {
    my ($fd) = @_;
    my ($handle, $letter, $program, $pid) = @{ $outputs{$fd} }{qw(handle letter program pid)};
    my $bytes;
    my $count = sysread $handle, $bytes, $chunk_bytes;
    return if !defined $count && $!{EINTR};
    return answer($letter, $program->{number}, $bytes) if $count;
    delete $outputs{$fd};
    close $handle;
    $program->{open}--;
    finish($pid);
}

# Takes the status of each program that has ended.
sub reap {
    while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) {
        my $status = $?;
        my $program = $programs{$pid} or next;
        POSIX::close(delete $program->{pidfd}) if defined $program->{pidfd};
        $program->{ended} = 1;
        answer('X', $program->{number}, pack 'L<', $status);
        finish($pid);
    }
}

sub finish {
    my ($pid) = @_;
    my $program = $programs{$pid} or return;
    return if !$program->{ended} || $program->{open} > 0;
    delete $programs{$pid};
    answer('C', $program->{number}, '');
}
