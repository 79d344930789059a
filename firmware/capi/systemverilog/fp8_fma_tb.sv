// Drives fp8_fma and its four wrong forms with the lines of a pack (+lines=FILE, of `sweep vectors`: `a b c r flags` in
// hexadecimal), and compares each result with the line; the C library, called through DPI, is compared too. The last
// line says how many results of each unit are wrong.
module fp8_fma_tb;
    import bitexact_pkg::*;

    localparam int UNITS = 5;
    logic [7:0]  a, b, read_a, read_b;
    logic [15:0] c, read_c, expected;
    logic [15:0] r[UNITS];
    logic [7:0]  expected_flags;
    logic [4:0]  flags[UNITS];
    byte unsigned own_flags;
    shortint unsigned own;
    string path;
    int    file, fields, lines, wrong[UNITS], differ;

    // Unit 0 is right.
    for (genvar m = 0; m < UNITS; m++) begin : units
        fp8_fma #(.MISTAKE(m)) unit (.a, .b, .c, .r(r[m]), .flags(flags[m]));
    end

    initial begin
        if (!$value$plusargs("lines=%s", path)) $fatal(1, "+lines=FILE is missing");
        file = $fopen(path, "r");
        if (file == 0) $fatal(1, "cannot read %s", path);
        forever begin
            fields = $fscanf(file, "%h %h %h %h %h\n", read_a, read_b, read_c, expected, expected_flags);
            if (fields != 5) break;
            // By way of other variables: in Verilator 5.006 a call of $fscanf does not wake what reads its arguments.
            a = read_a;
            b = read_b;
            c = read_c;
            #1;
            lines++;
            for (int m = 0; m < UNITS; m++) begin
                if (r[m] !== expected || flags[m] !== expected_flags[4:0]) begin
                    wrong[m]++;
                    if (wrong[m] == 1)
                        $display("unit %0d: %h * %h + %h: expected %h %h, got %h %h", m, a, b, c, expected, expected_flags, r[m], flags[m]);
                end
            end
            // E4M3 to f16 is exact, so f16's fma rounds the same sum once.
            own_flags = 0;
            own = bitexact_fma_f16(bitexact_convert_e4m3fn_f16_rne(a), bitexact_convert_e4m3fn_f16_rne(b), c,
                                   TIES_TO_EVEN, OVERFLOW_IEEE, own_flags);
            if (own !== expected || own_flags !== expected_flags) differ++;
        end
        if (!$feof(file)) $fatal(1, "line %0d is no vector", lines + 1);
        // Numbers of f32 cross as bits: 1 + 2^-23 times 3.
        if (bitexact_mul_f32_rne(32'h3F800001, 32'h40400000) !== 32'h40400002) $fatal(1, "f32 through DPI");
        $display("%0d lines: the C library differs on %0d; wrong results of each unit:%s", lines, differ,
                 $sformatf(" %0d %0d %0d %0d %0d", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4]));
        $finish;
    end
endmodule
